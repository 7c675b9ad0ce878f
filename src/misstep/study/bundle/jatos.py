"""A JATOS study archive: the page, and the study's properties as JATOS 3 reads them.

The format is in JATOS's documentation, "JATOS Study Archive (.jzip)": a folder of assets, and
beside it a .jas file with the properties as JSON, version 3.
"""

from __future__ import annotations

import json
from uuid import UUID, uuid5

from misstep.study.bundle.folder import INDEX, Files, page_files, zipped
from misstep.study.course.nouns import Study
from misstep.study.screens import Json

SCRIPT = "jatos.js"
"""JATOS itself serves it to every page of a study."""
_ROOT = UUID("f6a2f1de-5f0b-5b0e-9a70-6d697373746e")
_WORKERS = ["Jatos", "PersonalSingle", "PersonalMultiple", "GeneralSingle", "GeneralMultiple"]


def archive(study: Study, screens: str, places: int) -> bytes:
    folder = f"misstep_{study.digest}"
    files: Files = page_files(study, screens, before=(SCRIPT,))
    properties = json.dumps(_properties(study, folder, places), indent=2, ensure_ascii=False)
    assets = {f"{folder}/{name}": content for name, content in files.items()}
    return zipped({f"{folder}.jas": f"{properties}\n".encode(), **assets})


def _properties(study: Study, folder: str, places: int) -> Json:
    return {
        "version": "3",
        "data": {
            "uuid": _uuid(study, places, "study"),
            "title": study.title,
            "description": f"misstep study {study.digest}, {places} places",
            "groupStudy": False,
            "linearStudy": False,
            "allowPreview": False,
            "dirName": folder,
            "comments": "",
            "jsonData": None,
            "endRedirectUrl": "",
            "studyEntryMsg": None,
            "componentList": [_component(study, places)],
            "batchList": [_batch(study, places)],
        },
    }


def _component(study: Study, places: int) -> Json:
    return {
        "uuid": _uuid(study, places, "component"),
        "title": study.title,
        "htmlFilePath": INDEX,
        "reloadable": True,
        "active": True,
        "comments": "",
        "jsonData": None,
    }


def _batch(study: Study, places: int) -> Json:
    return {
        "uuid": _uuid(study, places, "batch"),
        "title": "Default",
        "active": True,
        "maxActiveMembers": None,
        "maxTotalMembers": None,
        "maxTotalWorkers": None,
        "allowedWorkerTypes": [*_WORKERS],
        "comments": None,
        "jsonData": None,
    }


def _uuid(study: Study, places: int, what: str) -> str:
    """The same study is the same in every JATOS, which asks before it overwrites one."""
    return str(uuid5(_ROOT, f"{study.digest}/{places}/{what}"))
