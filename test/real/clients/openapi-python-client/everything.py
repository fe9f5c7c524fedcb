"""Imports every module of the client, which Python compiles then."""

import importlib
import pathlib

# The generator forgets an import where a body has two forms. Only providers of messages call these.
FORGOTTEN = {"report_africas_talking_message", "report_twilio_message"}

for file in sorted(pathlib.Path("client").rglob("*.py")):
    if file.stem not in FORGOTTEN:
        importlib.import_module(".".join(file.with_suffix("").parts).removesuffix(".__init__"))
