"""Pages of the documentation as mdBook needs them: a preprocessor, run by `mdbook build docs`.

The pages are written for a forge, where a link leads to any file of the repository. On the site:
- a link out of the book becomes its text and, in brackets, the path of the file;
- headings of the first level that an included text has become headings of the second level.
"""

import json
import posixpath
import re
import sys

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:|#)([^)\s]+)\)")
CODE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def link(match, page):
    """What stands in place of one link."""
    text, target = match.groups()
    path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), target.split("#")[0]))
    if path.startswith("docs/"):
        return match[0]
    return text if path in text else f"{text} (`{path}`)"


def prose(text, page, is_start):
    """A piece of a page outside of blocks of code."""
    text = LINK.sub(lambda match: link(match, page), text)
    title = re.match(r"\s*# .*\n", text) if is_start else None
    start = title.end() if title else 0
    return text[:start] + re.sub(r"^# ", "## ", text[start:], flags=re.MULTILINE)


def page(chapter):
    """Rewrites a chapter and those below it."""
    pieces = CODE.split(chapter["content"])
    pieces[::2] = [prose(piece, chapter["path"], i == 0) for i, piece in enumerate(pieces[::2])]
    chapter["content"] = "".join(pieces)
    for item in chapter["sub_items"]:
        if "Chapter" in item:
            page(item["Chapter"])


def main():
    if sys.argv[1:2] == ["supports"]:
        return
    _, book = json.load(sys.stdin)
    for item in book.get("items", book.get("sections", [])):
        if "Chapter" in item and item["Chapter"]["path"]:
            page(item["Chapter"])
    json.dump(book, sys.stdout)


main()
