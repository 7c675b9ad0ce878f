"""A family's picture as a part of a screen: a data URI, so that no page asks for a file."""

from __future__ import annotations

from base64 import b64encode

from misstep.core.pictures import Picture, content_of
from misstep.study.screens import Part


def picture_part(picture: Picture) -> Part:
    """Its bytes as they are, and what is said of it to who doesn't see it."""
    content = b64encode(content_of(picture)).decode("ascii")
    return Part("picture", f"data:{picture.media};base64,{content}", picture.alt)
