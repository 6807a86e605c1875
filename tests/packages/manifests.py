# SPDX-License-Identifier: MIT
# manifests.py TREE VERSION: the manifests of a release tree have the keys that their registries document, the version,
# and name files that exist. Prints what is wrong, a line each.
import configparser
import json
import os
import re
import sys
import xml.etree.ElementTree

import yaml

tree, version = sys.argv[1:]
CATEGORIES = ("Display", "Communication", "Signal Input/Output", "Sensors", "Device Control", "Timing", "Data Storage",
              "Data Processing", "Other")


def path_of(*parts):
    return os.path.join(tree, *parts)


def check(holds, manifest, what):
    if not holds:
        print(f"{manifest}: {what}")


def check_files(manifest, folder, *names):
    for name in names:
        check(os.path.exists(path_of(folder, name)), manifest, f"{name}: there is no such file")


def check_keys(manifest, values, required, optional):
    for key in required:
        check(values.get(key) not in (None, ""), manifest, f"no {key}")
    for key in values:
        check(key in required + optional, manifest, f"{key}: not a documented key")
    check(values.get("version") == version, manifest, f"version {values.get('version')}, not {version}")
    check("://" in str(values.get("url") or values.get("homepage")), manifest, "no URL")


# docs.platformio.org: library.json
def check_platformio():
    name = "library.json"
    with open(path_of(name)) as file:
        library = json.load(file)
    check_keys(name, library, ("name", "version", "description", "license", "build"),
               ("keywords", "homepage", "repository", "authors", "frameworks", "platforms", "headers", "examples",
                "dependencies", "export", "scripts", "$schema"))
    check(re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", library["name"]), name, "the form of the name")
    check(len(library["description"]) <= 255, name, "a description of more than 255 characters")
    check(library["build"].get("libArchive") is False, name, "an archive, which link-time optimisation breaks")
    check_files(name, "", library["build"].get("srcDir", "src"))

    name = "examples/stm32/platformio.ini"
    project = configparser.ConfigParser()
    project.read(path_of(name))
    settings = project["env:stm32"]
    for key in "platform", "board", "build_flags", "lib_deps":
        check(settings.get(key), name, f"no {key}")
    check("-pg" in settings.get("build_flags", "").split(), name, "no -pg")
    check_files(name, "examples/stm32", settings["board_build.ldscript"], project["platformio"]["src_dir"])
    library = settings["lib_deps"].partition("=symlink://")[2]
    check_files(name, os.path.join("examples/stm32", library), "library.json")


# arduino-cli, docs/library-specification.md
def check_arduino():
    name = "library.properties"
    with open(path_of(name)) as file:
        library = dict(line.rstrip("\n").split("=", 1) for line in file)
    check_keys(name, library, ("name", "version", "author", "maintainer", "sentence", "paragraph", "category", "url",
                               "architectures", "dot_a_linkage"), ("depends", "includes", "precompiled", "ldflags"))
    check(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9 _.\-]*", library["name"]), name, "the form of the name")
    check(library["category"] in CATEGORIES, name, f"category {library['category']}")
    check(library["dot_a_linkage"] == "false", name, "an archive, which link-time optimisation breaks")
    check_files(name, "src", *library["includes"].split(","))
    for example in os.listdir(path_of("examples")):
        sketches = [file for file in os.listdir(path_of("examples", example)) if file.endswith(".ino")]
        check(sketches in ([], [f"{example}.ino"]), name, f"examples/{example}: a sketch has the name of its folder")


# docs.espressif.com, IDF Component Manager: idf_component.yml
def check_esp_idf():
    name = "idf_component.yml"
    with open(path_of(name)) as file:
        component = yaml.safe_load(file)
    check_keys(name, component, ("version", "description", "url", "license", "targets", "dependencies"),
               ("maintainers", "repository", "issues", "documentation", "tags", "examples", "files", "discussion"))
    check(all(re.fullmatch("esp32[a-z0-9]*", target) for target in component["targets"]), name, "the targets")
    check(re.match("[<>=~^]", component["dependencies"]["idf"]), name, "the version of ESP-IDF")
    check_files(name, "", "CMakeLists.txt")

    name = "examples/esp-idf/main/idf_component.yml"
    with open(path_of(name)) as file:
        project = yaml.safe_load(file)
    check_files(name, os.path.join("examples/esp-idf/main", project["dependencies"]["bareprof"]["path"]),
                "idf_component.yml")


# Open-CMSIS-Pack-Spec, beyond pack.rng; CMSIS-Toolbox, YML-Input-Format.md
def check_pack():
    name = "bareprof.bareprof.pdsc"
    package = xml.etree.ElementTree.parse(path_of(name)).getroot()
    vendor = package.findtext("vendor")
    check(f"{vendor}.{package.findtext('name')}.pdsc" == name, name, "the name of the file")
    check(package.find("releases/release").get("version") == version, name, f"the release is not {version}")
    check("://" in package.findtext("url"), name, "no URL")
    conditions = [condition.get("id") for condition in package.iter("condition")]
    identities = []
    for component in package.iter("component"):
        check(component.get("Cversion") == version, name, f"the component is not {version}")
        check(component.get("condition") in conditions, name, f"there is no condition {component.get('condition')}")
        identities.append(f"{vendor}::{component.get('Cclass')}:{component.get('Cgroup')}:{component.get('Csub')}")
    check_files(name, "", package.findtext("license"), *(file.get("name") for file in package.iter("file")))

    name = "examples/stm32/example.csolution.yml"
    with open(path_of(name)) as file:
        solution = yaml.safe_load(file)["solution"]
    check(f"{vendor}::{package.findtext('name')}" in [pack["pack"] for pack in solution["packs"]], name, "no pack")
    for project in solution["projects"]:
        name = os.path.join("examples/stm32", project["project"])
        check_files(name, "examples/stm32", project["project"])
        with open(path_of(name)) as file:
            project = yaml.safe_load(file)["project"]
        used = [component["component"] for component in project["components"]]
        check(any(identity in used for identity in identities), name, f"none of {identities} is used")
        check_files(name, "examples/stm32", *(file["file"] for group in project["groups"] for file in group["files"]))


for check_one in check_platformio, check_arduino, check_esp_idf, check_pack:
    check_one()
