"""Colours for Python code: nothing is lost, and what is not Python stays as it is."""

from __future__ import annotations

import re
from html import unescape

from hypothesis import given
from hypothesis import strategies as st
from lessons.highlighting import highlight

from support.cases import for_each


def spans(html: str, kind: str) -> list[str]:
    return [unescape(text) for text in re.findall(f'<span class="{kind}">(.*?)</span>', html)]


def plain(html: str) -> str:
    return unescape(re.sub(r"</?span[^>]*>", "", html))


def test_keywords_names_and_comments() -> None:
    code = "def f(x):  # a < b\n    return None if x else 'if'\n\nclass A: pass\n"
    html = highlight(code)
    assert plain(html) == code
    assert spans(html, "keyword") == ["def", "return", "None", "if", "else", "class", "pass"]
    assert spans(html, "name") == ["f", "A"]
    assert spans(html, "comment") == ["# a < b"]


def test_a_string_is_one_piece_in_every_python() -> None:
    assert spans(highlight("f'{1 if a else 2}'  # b\n"), "keyword") == []


def test_in_a_session_only_the_input_is_code() -> None:
    html = highlight(">>> 3 if True else 4\n3 if\n>>> # x\n")
    assert html == (
        '<span class="prompt">&gt;&gt;&gt; </span>3 <span class="keyword">if</span> '
        '<span class="keyword">True</span> <span class="keyword">else</span> 4\n3 if\n'
        '<span class="prompt">&gt;&gt;&gt; </span><span class="comment"># x</span>\n'
    )


@for_each("code", ["", "if (", "'''", "   x\n y", "a ? b $", "if x:\n", "é = '²' & 3\n", "\ta\n"])
def test_nothing_is_lost(code: str) -> None:
    assert plain(highlight(code)) == code


@given(st.text(alphabet="if de#'\"()[]{}:\\\n \t<>&=1x²é\x0c"))
def test_no_text_is_lost(code: str) -> None:
    html = highlight(code)
    assert plain(html) == code
    assert not re.search(r"<(?!/?span)", html)
