"""Message lists of a row, as chat services take them: roles, text, pictures, tools, a schema."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from misstep.core.errors import BadInput
from misstep.core.questions import Call, Json, Message, Part, Tool

ROLES = ("system", "developer", "user", "assistant", "tool")


def read_messages(where: str, value: Json, folder: Path) -> tuple[Message, ...]:
    """The messages of a row; the last one is the user's or a tool's. Paths start at `folder`."""
    if isinstance(value, str):
        value = _parsed(where, value)
    if not isinstance(value, list) or not value:
        raise BadInput(f"{where}: is {_shown(value)}, and should be a list of messages")
    found = tuple(_message(f"{where}[{at}]", one, folder) for at, one in enumerate(value))
    if found[-1].role not in ("user", "tool"):
        last = f"{where}[{len(found) - 1}]: role"
        raise BadInput(
            f"{last}: the last message is of {found[-1].role!r}, and nobody replies to it"
        )
    return found


def _message(where: str, value: Json, folder: Path) -> Message:
    if not isinstance(value, dict):
        raise BadInput(
            f"{where}: is {_shown(value)}, and should be a message with role and content"
        )
    role = value.get("role")
    if role not in ROLES:
        raise BadInput(f"{where}: role: {_shown(role)} is none of {', '.join(ROLES)}")
    calls = tuple(_calls(where, value.get("tool_calls")))
    content = value.get("content")
    parts = () if content is None and calls else tuple(_parts(where, content, folder))
    call = value.get("tool_call_id")
    if role == "tool" and not isinstance(call, str):
        raise BadInput(f"{where}: tool_call_id: {_shown(call)} names no call")
    name = "system" if role == "developer" else str(role)
    return Message(name, parts, calls, call if isinstance(call, str) else None)


def _parts(where: str, content: Json, folder: Path) -> Iterator[Part]:
    if isinstance(content, str):
        if not content.strip():
            raise BadInput(f"{where}: content: is empty")
        yield Part(text=content)
        return
    if not isinstance(content, list) or not content:
        raise BadInput(f"{where}: content: {_shown(content)} is neither text nor a list of parts")
    for at, part in enumerate(content):
        yield _part(f"{where}: content[{at}]", part, folder)


def _part(where: str, part: Json, folder: Path) -> Part:
    kind = part.get("type") if isinstance(part, dict) else None
    if isinstance(part, dict) and kind in ("text", "input_text"):
        text = part.get("text")
        if not isinstance(text, str) or not text.strip():
            raise BadInput(f"{where}: text: {_shown(text)} is no text with anything in it")
        return Part(text=text)
    if isinstance(part, dict) and kind in ("image_url", "input_image", "image"):
        return Part(image=_image(where, part.get(str(kind), part.get("image_url")), folder))
    raise BadInput(f"{where}: type: {_shown(kind)} is neither text nor image_url")


def _image(where: str, value: Json, folder: Path) -> str:
    """A data URI as it is, or the file's path; nothing is fetched from elsewhere."""
    address = value.get("url") if isinstance(value, dict) else value
    if not isinstance(address, str) or not address:
        raise BadInput(f"{where}: image_url: {_shown(value)} is no address of a picture")
    if address.startswith("data:"):
        _check_data(where, address)
        return address
    if "://" in address and not address.startswith("file://"):
        raise BadInput(
            f"{where}: image_url: {_shown(address)} lies elsewhere, and nothing is downloaded; "
            "give a file's path or a data URI"
        )
    path = folder / address.removeprefix("file://")
    try:
        is_there = path.is_file()
    except OSError:  # a name that no file system takes
        is_there = False
    if not is_there:
        raise BadInput(f"{where}: image_url: {_shown(address)}: no such file in {folder}")
    return str(path)


def _check_data(where: str, address: str) -> None:
    head, comma, body = address.partition(",")
    try:
        if not comma or not head.startswith("data:image/") or not head.endswith(";base64"):
            raise ValueError
        base64.b64decode(body, validate=True)
    except (ValueError, binascii.Error):
        raise BadInput(f"{where}: image_url: {_shown(address)} is no picture in base64") from None


def _calls(where: str, value: Json) -> Iterator[Call]:
    if value is None:
        return
    if not isinstance(value, list):
        raise BadInput(f"{where}: tool_calls: {_shown(value)} is no list")
    for at, one in enumerate(value):
        function = one.get("function") if isinstance(one, dict) else None
        if not isinstance(one, dict) or not isinstance(function, dict):
            raise BadInput(f"{where}: tool_calls[{at}]: {_shown(one)} is no call of a function")
        arguments = function.get("arguments", {})
        if isinstance(arguments, str):
            arguments = _parsed(f"{where}: tool_calls[{at}]: arguments", arguments)
        if not isinstance(arguments, dict):
            raise BadInput(f"{where}: tool_calls[{at}]: arguments: {_shown(arguments)}: no object")
        yield Call(str(one.get("id", at)), str(function.get("name")), arguments)


def read_tools(where: str, value: Json) -> tuple[Tool, ...]:
    """Functions with a JSON schema of their parameters, as chat services take them."""
    if value is None or value == "":
        return ()
    if isinstance(value, str):
        value = _parsed(where, value)
    if not isinstance(value, list):
        raise BadInput(f"{where}: is {_shown(value)}, and should be a list of tools")
    found = tuple(_tool(f"{where}[{at}]", one) for at, one in enumerate(value))
    names = [tool.name for tool in found]
    for name in names:
        if names.count(name) > 1:
            raise BadInput(f"{where}: two tools are named {name!r}")
    return found


def _tool(where: str, value: Json) -> Tool:
    function = value.get("function", value) if isinstance(value, dict) else None
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        raise BadInput(f"{where}: {_shown(value)} is no function with a name")
    empty: dict[str, Json] = {"type": "object", "properties": {}}
    parameters = function.get("parameters") or empty
    schema = read_schema(f"{where}: parameters", parameters)
    if schema is None or schema.get("type") != "object":
        raise BadInput(f"{where}: parameters: {_shown(parameters)} is no schema of an object")
    return Tool(str(function["name"]), str(function.get("description") or ""), schema)


def read_results(where: str, value: Json, tools: tuple[Tool, ...]) -> dict[str, str]:
    """What tools give back, by the tools' names."""
    if value is None or value == "":
        return {}
    if isinstance(value, str):
        value = _parsed(where, value)
    if not isinstance(value, dict):
        raise BadInput(f"{where}: is {_shown(value)}, and should be an object: tool, result")
    known = [tool.name for tool in tools]
    for name in value:
        if name not in known:
            raise BadInput(f"{where}: {name!r} is no tool of the row; tools: {', '.join(known)}")
    return {name: one if isinstance(one, str) else json.dumps(one) for name, one in value.items()}


def read_schema(where: str, value: Json) -> Mapping[str, Json] | None:
    """A JSON schema, by itself or in the frame that chat services put around it."""
    if value is None or value == "":
        return None
    if isinstance(value, str):
        value = _parsed(where, value)
    if isinstance(value, dict) and isinstance(value.get("json_schema"), dict):
        value = value["json_schema"]
    if isinstance(value, dict) and "type" not in value and isinstance(value.get("schema"), dict):
        value = value["schema"]
    if not isinstance(value, dict):
        raise BadInput(f"{where}: is {_shown(value)}, and should be a JSON schema")
    try:
        Draft202012Validator.check_schema(value)
    except SchemaError as error:
        path = ".".join(map(str, error.absolute_path))
        raise BadInput(f"{where}: is no JSON schema: {path}: {error.message[:120]}") from None
    return value


def _parsed(where: str, text: str) -> Json:
    try:
        found: Json = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{where}: is no JSON: {error}: {_shown(text)}") from None
    return found


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
