# SPDX-License-Identifier: MIT
# configure.py KCONFIG OUTPUT MODULE CONF...: a stub of Zephyr's scripts/zephyr_module.py and scripts/kconfig/kconfig.py,
# for modules. Checks MODULE/zephyr/module.yml, merges the files CONF into OUTPUT/.config and OUTPUT/autoconf.h,
# and prints the folder of the module's CMakeLists.txt. A setting that has no effect is an error, as in Zephyr.
import os
import sys

import kconfiglib
import yaml

BUILD_KEYS = {"cmake": str, "kconfig": str, "cmake-ext": bool, "kconfig-ext": bool, "depends": list, "settings": dict}
TOP_KEYS = {"name": str, "build": dict, "tests": list, "samples": list, "boards": list, "blobs": list}


def check_keys(what, values, known):
    for key, value in values.items():
        if not isinstance(value, known.get(key, ())):
            sys.exit(f"{what}: {key}: {value}: not a key of this type")


kconfig, output, module, *configs = sys.argv[1:]
path = os.path.join(module, "zephyr/module.yml")
with open(path) as file:
    meta = yaml.safe_load(file)
check_keys(path, meta, TOP_KEYS)
check_keys(path, meta["build"], BUILD_KEYS)
for name in os.path.join(meta["build"]["cmake"], "CMakeLists.txt"), meta["build"]["kconfig"]:
    if not os.path.isfile(os.path.join(module, name)):
        sys.exit(f"{path}: {name}: there is no such file")

os.environ["MODULE_KCONFIG"] = os.path.abspath(os.path.join(module, meta["build"]["kconfig"]))
tree = kconfiglib.Kconfig(kconfig, warn_to_stderr=False)
tree.warn_assign_undef = True
for name in configs:
    tree.load_config(name, replace=False)
errors = tree.warnings + [
    f"{symbol.name} was set to {symbol.user_value}, but is {symbol.str_value}"
    for symbol in tree.unique_defined_syms
    if symbol.user_value is not None
    and symbol.str_value != kconfiglib.TRI_TO_STR.get(symbol.user_value, symbol.user_value)
]
if errors:
    sys.exit("\n".join(errors))
tree.write_config(os.path.join(output, ".config"))
tree.write_autoconf(os.path.join(output, "autoconf.h"))
print(os.path.abspath(os.path.join(module, meta["build"]["cmake"])), end="")
