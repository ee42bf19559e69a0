"""Runs the steps of Containerfile in a chroot, uses what they installed, and removes it (Tools/check-package)."""

import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

MIRROR = "http://deb.debian.org/debian"
SECURITY = "http://deb.debian.org/debian-security"
DAYS = 30


class Failure(Exception):
    """A check that failed, in one line."""


class Missing(Exception):
    """The reason why nothing can be checked."""


def say(text):
    print(f"check-package: {text}", file=sys.stderr, flush=True)


class Step:
    """An instruction of a Containerfile."""

    def __init__(self, line):
        self.word, _, self.rest = line.partition(" ")
        self.rest = self.rest.strip()


def stages(path):
    """The stages of a Containerfile: the name of each, or an empty text, and its steps after FROM."""
    found, line = [], ""
    with open(path) as file:
        for text in file:
            text = text.strip()
            if not text or text.startswith("#"):
                continue
            if text.endswith("\\"):
                line += text[:-1] + " "
                continue
            step, line = Step(line + text), ""
            if step.word == "FROM":
                words = step.rest.split()
                found.append((words[2] if len(words) == 3 else "", words[0], []))
            elif step.word in ("RUN", "COPY", "WORKDIR", "USER", "ENTRYPOINT", "CMD"):
                found[-1][2].append(step)
            else:
                raise Failure(f"{path}: expected an instruction that check_package.py can run, found {step.word}")
    return found


class Chroot:
    """A Debian system in a folder. Each command has mounts and processes of its own, which end with it."""

    def __init__(self, base, folder):
        self.folder = folder
        self.user, self.place = "root", "/"
        self.entry, self.command = [], []
        subprocess.check_call(["tar", "-xf", base, "-C", folder])
        shutil.copy("/etc/resolv.conf", f"{folder}/etc/resolv.conf")
        with open(f"{folder}/etc/apt/sources.list", "w") as file:
            file.write(f"deb {MIRROR} bookworm main\ndeb {MIRROR} bookworm-updates main\n")
            file.write(f"deb {SECURITY} bookworm-security main\n")

    def home(self, user):
        with open(f"{self.folder}/etc/passwd") as file:
            return next(line.split(":")[5] for line in file if line.startswith(f"{user}:"))

    def run(self, script, binds=(), environment=()):
        """Runs a script as the present user in the present folder. Returns its output and its status."""
        mounts = [
            f"mount -t proc proc '{self.folder}/proc'", f"mount -t tmpfs tmpfs '{self.folder}/dev/shm'",
        ] + [f"mkdir -p '{self.folder}{place}' && mount --bind '{source}' '{self.folder}{place}'" for source, place in binds]
        identity = [] if self.user == "root" else [f"--userspec={self.user}:{self.user}", "--groups="]
        inside = (
            ["chroot"] + identity + [self.folder, "/usr/bin/env", "-i", f"HOME={self.home(self.user)}", "LC_ALL=C.UTF-8",
             "PATH=/opt/swift/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive"]
            + list(environment) + ["/bin/sh", "-c", f"cd '{self.place}' && {script}"])
        shell = "mkdir -p '" + self.folder + "/dev/shm'\n" + "\n".join(mounts) + '\nexec "$@"'
        words = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "/bin/sh", "-ec", shell, "sh"] + inside
        result = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return result.stdout, result.returncode

    def expect(self, script, *texts, **options):
        """Runs a script that must end with 0 and print these texts."""
        out, status = self.run(script, **options)
        if status != 0:
            raise Failure(f"{script}: exit code {status}\n{out[-3000:]}")
        for text in texts:
            if text not in out:
                raise Failure(f"{script}: expected {text!r}, found\n{out[-3000:]}")
        return out

    def perform(self, step, source):
        """Performs one step of a Containerfile."""
        if step.word == "RUN":
            self.expect(step.rest)
        elif step.word == "COPY":
            words = [word for word in step.rest.split() if not word.startswith("--")]
            if words[0].endswith("/"):
                shutil.copytree(source, self.folder + words[1], dirs_exist_ok=True)
            else:
                # The clone, without what builds have made there.
                subprocess.check_call(["git", "clone", "--quiet", os.getcwd(), self.folder + words[1]])
        elif step.word == "WORKDIR":
            self.place = step.rest
            if not os.path.isdir(self.folder + self.place):
                os.makedirs(self.folder + self.place)
        elif step.word == "USER":
            self.user = step.rest
        elif step.word == "ENTRYPOINT":
            self.entry = json.loads(step.rest)
        elif step.word == "CMD":
            self.command = json.loads(step.rest)

    def files(self):
        """Every path, except those in which apt and dpkg keep their own records, and the user's processes have theirs."""
        records = ("var/lib/apt", "var/lib/dpkg", "var/cache", "var/log", "proc", "sys", "dev", "run")
        paths = set()
        for folder, inner, names in os.walk(self.folder):
            below = os.path.relpath(folder, self.folder)
            if below in records:
                inner.clear()
                continue
            paths.update(os.path.normpath(os.path.join(below, name)) for name in names + inner)
        return paths


def base_system(cache):
    """The files of a clean Debian 12, as a tar file that is kept for some weeks."""
    architecture = subprocess.check_output(["dpkg", "--print-architecture"], text=True).strip()
    path = f"{cache}/bookworm-{architecture}.tar"
    if os.path.exists(path) and time.time() - os.path.getmtime(path) < DAYS * 86400:
        return path
    say("debootstrap")
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        os.chmod(folder, 0o755)
        result = subprocess.run(
            ["unshare", "--mount", "debootstrap", "--variant=minbase", "bookworm", folder, MIRROR],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode != 0:
            raise Missing("debootstrap has made no system: " + (result.stdout.strip().splitlines() or ["no output"])[-1])
        subprocess.check_call(["rm", "-f"] + glob.glob(f"{folder}/var/cache/apt/archives/*.deb"))
        subprocess.check_call(["tar", "-cf", f"{path}.new", "--one-file-system", "-C", folder, "."])
    os.rename(f"{path}.new", path)
    return path


# What the user of the image does in an empty home folder. A group that is left would be found after it.
USE = """
set -eu
touchline --version
touchline demo >demo.txt
grep -q 'action' demo.txt
touchline conform --mode direct >conform.txt
tail -1 conform.txt
mkfifo ready
touchline up >ready 2>up.txt &
supervisor=$!
read -r line <ready
echo "$line"
touchline status
touchline input tap 187,333 --receipt
touchline down
wait "$supervisor"
for program in /proc/[0-9]*/exe; do
    case $(readlink "$program" 2>/dev/null) in
    /usr/lib/touchline/*) echo "left: $program" && exit 1 ;;
    esac
done
left=$(cd "/tmp/touchline-$(id -u)" && ls)
[ "$left" = journal ] || { echo "left in the group's folder: $left" && exit 1; }
[ -z "$(ls /dev/shm)" ] || { echo "left in /dev/shm: $(ls /dev/shm)" && exit 1; }
rm -r "/tmp/touchline-$(id -u)" demo.txt conform.txt ready up.txt
ls -A /tmp | sed 's/^/left in tmp: /'
"""


def check(package, cache, builds):
    base = base_system(cache)
    (_, _, build), (_, _, image) = stages("Containerfile")
    with tempfile.TemporaryDirectory(dir=cache) as work:
        if builds:
            package = built(base, work, build)
        folder = f"{work}/image"
        os.mkdir(folder)
        system = Chroot(base, folder)
        # The clean system has the man pages' reader, so that it is not what the package is blamed for.
        out, status = system.run("apt-get update && apt-get install --yes --no-install-recommends man-db")
        if status != 0:
            raise Missing("Debian's archive has not answered: " + (out.strip().splitlines() or ["no output"])[-1])
        before = system.files()
        source = f"{work}/package"
        os.mkdir(source)
        shutil.copy(package, source)
        for step in image:
            say(f"{step.word} {step.rest}")
            system.perform(step, source)
        say(f"as {system.user}: {' '.join(system.entry + system.command)}")
        system.expect(" ".join(system.entry + system.command), "RUN A GROUP:")
        say(f"as {system.user}, in {system.place}: version, demo, conform, up, status, input, down")
        out = system.expect(USE, "touchline ", "ready: ", "handled in the app")
        if "left in tmp" in out:
            raise Failure(out)
        for line in out.splitlines()[:3]:
            say(f"    {line}")
        say("man pages, completions, unit")
        system.expect("man touchline up | head -30", "touchline-up", "app-executable")
        system.expect("bash -c '. /usr/share/bash-completion/completions/touchline && complete -p touchline'", "touchline")
        for path in (
                "zsh/vendor-completions/_touchline", "fish/vendor_completions.d/touchline.fish",
                "doc/touchline/copyright", "doc/touchline/changelog.gz", "doc/touchline/README.md"):
            if not os.path.getsize(f"{folder}/usr/share/{path}"):
                raise Failure(f"/usr/share/{path} is empty")
        unit = f"{folder}/usr/lib/systemd/user/touchline.service"
        if not os.path.exists(unit):
            raise Failure("the package has no unit")
        user, system.user, system.place = system.user, "root", "/"
        say("purge")
        system.expect(f"apt-get purge --yes --autoremove touchline && userdel --remove {user} 2>/dev/null")
        left = sorted(system.files() - before)
        lost = sorted(before - system.files())
        # The package's steps empty the lists of apt; a backup of the list of users is passwd's own.
        left = [path for path in left if path not in ("etc/passwd-", "etc/group-", "etc/shadow-", "etc/gshadow-", "etc/subuid-", "etc/subgid-")]
        if left or lost:
            raise Failure(f"after the purge: {len(left)} files are left, {len(lost)} are missing: {(left + lost)[:10]}")


# What Swift's own image of Debian 12 has besides Swift: https://www.swift.org/install/linux/tarball/
SWIFT_NEEDS = (
    "binutils-gold gcc git libcurl4-openssl-dev libedit-dev libicu-dev libncurses-dev libpython3-dev libsqlite3-dev "
    "libstdc++-12-dev libxml2-dev pkg-config tzdata uuid-dev")


def built(base, work, steps):
    """Runs the first stage with this machine's Swift, in place of Swift's image. Returns the package."""
    folder = f"{work}/build"
    os.mkdir(folder)
    system = Chroot(base, folder)
    swift = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("swift")))))
    binds = [(swift, "/opt/swift")]
    say("what Swift's image has")
    system.expect(f"apt-get update && apt-get install --yes --no-install-recommends {SWIFT_NEEDS}")
    for step in steps:
        say(f"{step.word} {step.rest}")
        if step.word == "RUN":
            system.expect(step.rest, binds=binds)
        else:
            system.perform(step, None)
    return glob.glob(f"{folder}/package/*.deb")[0]


def main():
    package, cache, *rest = sys.argv[1:]
    begun = time.monotonic()
    try:
        check(package, os.path.abspath(cache), "--build" in rest)
    except Missing as reason:
        say(f"NOT RUN: {reason}")
        return 0
    except Failure as failure:
        say(str(failure))
        return 1
    say(f"passed in {time.monotonic() - begun:.0f} s")
    return 0


sys.exit(main())
