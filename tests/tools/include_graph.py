#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the include graph against the table of rooms in docs/architecture.md.

An include must resolve to a file, lead to a room that the table allows, and close no cycle. Each
source file must be in a room, and each room must have one. With --dot, prints the graph of rooms
in Graphviz form instead.
"""

import argparse
import os
import re
import sys
from collections import defaultdict
from pathlib import Path

SOURCE_ENDINGS = {".c", ".cpp", ".h", ".hpp"}
# Where the compiler looks after the folder of the including file.
INCLUDE_FOLDERS = ("include", "src", "cli", "tests")
NOT_SOURCES = {"build", ".git", ".ccache"}
TABLE_HEAD = ["room", "holds", "may include"]


class TableError(Exception):
    pass


def table_rows(markdown):
    """The cells of the rows below the line `| room | holds | may include |`."""
    rows = None
    for line in markdown.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if rows is None:
            if cells == TABLE_HEAD:
                rows = []
        elif not line.startswith("|"):
            break
        elif not set(line) <= set("|-: "):
            if len(cells) != len(TABLE_HEAD):
                raise TableError(f"not three cells: {line}")
            rows.append(cells)
    if not rows:
        raise TableError(f"no table with the head | {' | '.join(TABLE_HEAD)} |")
    return rows


def parse_rooms(markdown):
    """Maps each room ("src/base") to the set of rooms it may include, itself among them."""
    direct = {}
    for name, _, allowed in table_rows(markdown):
        room = re.fullmatch(r"`([\w/]+)/`", name)
        if not room:
            raise TableError(f"not a room: {name}")
        if allowed != "anything" and allowed != "nothing":
            for entry in allowed.split(","):
                if not re.fullmatch(r"`[\w/]+/`", entry.strip()):
                    raise TableError(f"{name} may include what is no room: {entry.strip()}")
        direct[room[1]] = None if allowed == "anything" else re.findall(r"`([\w/]+)/`", allowed)

    rooms = {}
    for room, allowed in direct.items():
        reachable, todo = set(), [room]
        while todo:
            current = todo.pop()
            if current not in direct:
                raise TableError(f"{room} may include {current}, which has no row")
            if current not in reachable:
                reachable.add(current)
                todo += direct if direct[current] is None else direct[current]
        rooms[room] = reachable
    return rooms


def room_of(path, rooms):
    """The innermost room that holds the file, or None."""
    return next((str(p) for p in path.parents if str(p) in rooms), None)


def source_files(root):
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = sorted(set(subfolders) - NOT_SOURCES)
        for name in sorted(names):
            if Path(name).suffix in SOURCE_ENDINGS:
                yield (Path(folder) / name).relative_to(root)


def includes(text):
    """Yields (line number, quoted or not, name) for each #include outside of block comments."""
    blank = lambda comment: "\n" * comment[0].count("\n")
    for number, line in enumerate(re.sub(r"/\*.*?\*/", blank, text, flags=re.S).splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', line)
        if match:
            yield number, match[1] is not None, match[1] or match[2]


def resolve(root, includer, quoted, name):
    """The file that an include means, relative to root; None if it is none of the tree's."""
    folders = [root / folder for folder in INCLUDE_FOLDERS]
    if quoted:
        folders.insert(0, (root / includer).parent)
    for folder in folders:
        path = Path(os.path.normpath(folder / name))
        if path.is_file():
            return path.relative_to(root)
    return None


def find_cycle(graph):
    """Files that include each other in a ring, the first repeated at the end; None if none do."""
    done = set()

    def visit(node, trail):
        if node in trail:
            return trail[trail.index(node):] + [node]
        if node in done:
            return None
        for successor in sorted(graph[node]):
            cycle = visit(successor, trail + [node])
            if cycle:
                return cycle
        done.add(node)
        return None

    return next(filter(None, (visit(node, []) for node in sorted(graph))), None)


def check(root, rooms):
    """Returns the problems found, one line each, and the arrows between rooms with their counts."""
    problems = []
    graph = {}
    arrows = defaultdict(int)
    for path in source_files(root):
        graph[path] = set()
        room = room_of(path, rooms)
        if room is None:
            problems.append(f"{path}: in no room of the table")
            continue
        for line, quoted, name in includes((root / path).read_text(encoding="utf-8")):
            target = resolve(root, path, quoted, name)
            if target is None:
                if quoted:
                    problems.append(f'{path}:{line}: no file "{name}"')
                continue
            graph[path].add(target)
            target_room = room_of(target, rooms)
            if target_room != room:
                arrows[room, target_room] += 1
            if target_room not in rooms[room]:
                problems.append(f"{path}:{line}: {room} may not include {target}")
    for room in sorted(rooms.keys() - {room_of(path, rooms) for path in graph}):
        problems.append(f"{room}: in the table, but holds no source file")
    cycle = find_cycle({path: targets & graph.keys() for path, targets in graph.items()})
    if cycle:
        problems.append("cycle: " + " -> ".join(map(str, cycle)))
    return problems, arrows


def dot(rooms, arrows):
    lines = ["digraph includes {", "  rankdir=LR;", "  node [shape=box];"]
    lines += [f'  "{room}";' for room in rooms]
    lines += [f'  "{a}" -> "{b}" [label={count}];' for (a, b), count in sorted(arrows.items())]
    return "\n".join(lines + ["}"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=Path, help="the project's folder")
    parser.add_argument("--dot", action="store_true", help="print the graph, check nothing")
    arguments = parser.parse_args()

    root = arguments.root.resolve()
    document = root / "docs" / "architecture.md"
    try:
        rooms = parse_rooms(document.read_text(encoding="utf-8"))
    except (OSError, TableError) as error:
        sys.exit(f"{document}: {error}")
    problems, arrows = check(root, rooms)
    if arguments.dot:
        print(dot(rooms, arrows))
        return
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        sys.exit(f"include graph: {len(problems)} problem(s); the rules are in {document}")
    print(f"include graph: {len(rooms)} rooms, {sum(arrows.values())} includes between them, all allowed")


if __name__ == "__main__":
    main()
