"""Says whether a schema, checked by an independent validator, agrees on which scenes are right.

usage: validate_scenes.py SCHEMA FOLDER     FOLDER holds right-*.json and wrong-*.json
Exit code 0: agrees, 1: does not, 77: the validator (python3-jsonschema) is not installed.
"""
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    sys.exit(77)


def main(schema_file, folder):
    schema = json.loads(pathlib.Path(schema_file).read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    scenes = sorted(pathlib.Path(folder).glob("*.json"))
    disagreed = not scenes
    for scene in scenes:
        errors = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(json.loads(scene.read_text()))]
        if bool(errors) != scene.name.startswith("wrong-"):
            print(f"{scene.name}: {errors or 'accepted'}\n{scene.read_text()}")
            disagreed = True
    return disagreed


sys.exit(main(*sys.argv[1:]))
