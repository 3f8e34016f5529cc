"""croissant.json: the data set described for machines, in the format of MLCommons.

Croissant 1.1 is JSON-LD: the files with their checksums, and for each column its type, its
meaning and where it is found. In CSV a list is text, so it is described as text.
"""

from __future__ import annotations

import json
from typing import Any

from noughts.datasets.card import licence_url, summary
from noughts.datasets.folder import DataSet
from noughts.datasets.schema import Column, columns_of

__all__ = ["croissant"]

_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": {"@container": "@language"},
    "description": {"@container": "@language"},
    **{
        name: f"cr:{name}"
        for name in (
            *("arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "extract"),
            *("field", "fileObject", "fileProperty", "fileSet", "format", "includes", "isArray"),
            *("isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet"),
            *("references", "regex", "repeated", "replace", "samplingRate", "separator"),
            *("source", "subField", "transform"),
        )
    },
}

_FORMATS = {
    "parquet": "application/x-parquet",
    "csv": "text/csv",
    "jsonl": "application/jsonlines",
}

_TYPES = {
    "string": "sc:Text",
    "bool": "sc:Boolean",
    "int8": "sc:Integer",
    "int16": "sc:Integer",
    "int64": "sc:Integer",
    "double": "sc:Float",
}


def croissant(data_set: DataSet) -> str:
    """Return croissant.json of a data set."""
    request = data_set.request
    encoding = _FORMATS[request.format]
    files = [
        {
            "@type": "cr:FileObject",
            "@id": file.path,
            "name": file.path.rpartition("/")[2],
            "contentUrl": file.path,
            "contentSize": f"{file.bytes} B",
            "encodingFormat": encoding,
            "sha256": file.sha256,
        }
        for file in data_set.files
    ]
    rows = {
        "@type": "cr:FileSet",
        "@id": "files",
        "name": "files",
        "encodingFormat": encoding,
        "includes": f"data/*.{request.format}",
    }
    fields = [_field(request.kind, request.format, column) for column in columns_of(request)]
    split = {
        "@type": "cr:Field",
        "@id": f"{request.kind}/split",
        "name": "split",
        "description": "train or test, by the name of the file.",
        "dataType": "sc:Text",
        "source": {
            "fileSet": {"@id": "files"},
            "extract": {"fileProperty": "filename"},
            "transform": {"regex": "^(train|test)-.*$"},
        },
    }
    description = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": f"noughts-{request.kind}-{request.game}",
        "description": summary(request),
        "license": licence_url,
        "version": data_set.version,
        "citeAs": f"@software{{noughts, title = {{noughts}}, version = {{{data_set.version}}}}}",
        "distribution": [*files, rows],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": request.kind,
                "name": request.kind,
                "field": [*fields, split],
            }
        ],
    }
    return json.dumps(description, indent=2) + "\n"


def _field(kind: str, format: str, column: Column) -> dict[str, Any]:
    is_array = column.is_list and format != "csv"
    return {
        "@type": "cr:Field",
        "@id": f"{kind}/{column.name}",
        "name": column.name,
        "description": column.text,
        "dataType": _TYPES[column.item] if is_array or not column.is_list else "sc:Text",
        **({"isArray": True, "arrayShape": "-1"} if is_array else {}),
        "source": {"fileSet": {"@id": "files"}, "extract": {"column": column.name}},
    }
