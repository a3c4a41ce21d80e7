"""Checks every relative link and anchor: of the pages as a forge shows them, and of the site that mdBook has built.

tests/book/links.py                  # the pages
tests/book/links.py target/book      # a built site
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

TOP = Path(__file__).resolve().parents[2]
OUTSIDE = re.compile(r"[a-z]+:|//")


def pages():
    """The Markdown files that people read."""
    found = [*TOP.glob("*.md"), *TOP.glob("docs/**/*.md"), *TOP.glob("examples/*/README.md")]
    return sorted(
        [
            *found,
            *(TOP / name for name in ("fuzz/README.md", "models/zoo/README.md", "tests/outside/README.md")),
        ]
    )


def without_code(text):
    """The text without blocks of code."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def slugs(text):
    """The anchors that a forge gives to a page's headings."""
    found, seen = set(), {}
    for heading in re.findall(r"^#+ (.*)$", without_code(text), re.MULTILINE):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        seen[slug] = seen.get(slug, -1) + 1
        found.add(slug if seen[slug] == 0 else f"{slug}-{seen[slug]}")
    return found


def problems_of_pages():
    for page in pages():
        text = re.sub(r"`[^`\n]*`", "", without_code(page.read_text()))
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if OUTSIDE.match(target):
                continue
            path, _, anchor = target.partition("#")
            file = (page.parent / path).resolve() if path else page
            if not file.exists():
                yield f"{page.relative_to(TOP)}: {target}: no such file"
            elif anchor and file.suffix == ".md" and anchor not in slugs(file.read_text()):
                yield f"{page.relative_to(TOP)}: {target}: no such heading"
    listed = set(re.findall(r"\]\(([^)]+)\)", (TOP / "docs/SUMMARY.md").read_text()))
    for page in TOP.glob("docs/**/*.md"):
        name = str(page.relative_to(TOP / "docs"))
        if name not in listed | {"SUMMARY.md"}:
            yield f"docs/{name}: not in docs/SUMMARY.md"


class Page(HTMLParser):
    """The links and the anchors of a built page."""

    def __init__(self, file):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(file.read_text())

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.anchors.add(values.get("id"))
        self.links += [value for key in ("href", "src") if (value := values.get(key))]


def problems_of_site(site):
    built = {file: Page(file) for file in sorted(site.rglob("*.html"))}
    if not built:
        yield f"{site}: no pages"
    for file, page in built.items():
        if file.name == "404.html":  # its links start at a base of its own
            continue
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            if not target.exists():
                yield f"{file.relative_to(site)}: {link}: no such file"
            elif parts.fragment and target in built and unquote(parts.fragment) not in built[target].anchors:
                yield f"{file.relative_to(site)}: {link}: no such anchor"


found = list(problems_of_site(Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else problems_of_pages())
print("\n".join(found), file=sys.stderr, end="\n" if found else "")
sys.exit(bool(found))
