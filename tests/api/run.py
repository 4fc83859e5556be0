"""Runs foreign clients against the service: the examples of docs/examples.md, and schemathesis over /openapi.json.

Run by `cargo xtask test` with the Python of target/api-tests, in which requirements.txt is installed, and with the programs of
package.json in the folder NPM_PROGRAMS. The service has its data on SQLite, or on PostgreSQL if `--test-postgres` names the program
that creates databases. The last line is `N passed, N failed`.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import requests

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs/examples.md"
PYTHON_PROGRAMS = Path(sys.executable).parent
# What holds for every operation. Not among it: positive_data_acceptance, because a valid body can still break a rule of invoices;
# negative_data_rejection, because the JSON mapping takes null for an absent field and numbers of enums, which the document
# does not offer; allow_header_conformance, because a path such as /parties/list is also one of /parties/{party_key}.
CHECKS = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "unsupported_method",
]
HOME = "274893001"
OPERATOR = "274893009"
# Whose limits and state the fuzzer may change: not those of the organizations that it calls for.
ANOTHER_TENANT = "274893005"
SECONDS_TO_START = 60


def output(command):
    """What a program that succeeds writes."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


class Service:
    """A service with the demo seed on free ports."""

    def __init__(self, program, test_postgres):
        self.program = program
        self.folder = tempfile.TemporaryDirectory(prefix="api-tests-")
        ready = Path(self.folder.name) / "ready.json"
        self.database = f"sqlite:{Path(self.folder.name) / 'service.db'}"
        if test_postgres:
            owner, self.database = output([test_postgres, "create-database"]).split()
            output([program, "migrate", "--database", owner])
        self.log = (Path(self.folder.name) / "log").open("w+b")
        arguments = ["serve", "--database", self.database, "--seed", "demo", "--invoices", "50", "--rate-limit", "1000000"]
        arguments += ["--identity", "127.0.0.1:0", "--gateway", "127.0.0.1:0", "--ready-file", str(ready)]
        self.process = subprocess.Popen([program, *arguments], stderr=self.log)
        until = time.monotonic() + SECONDS_TO_START
        while not ready.exists():
            if self.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(self.log_lines())
            time.sleep(0.05)
        self.ready = json.loads(ready.read_text(encoding="utf-8"))
        self.machine = next(one for one in self.ready["applications"] if one["kind"] == "machine")

    def environment(self):
        """What the examples take from the environment."""
        return {
            **os.environ,
            "PATH": os.pathsep.join([os.environ["NPM_PROGRAMS"], os.environ["PATH"]]),
            "AUTH_URL": self.ready["auth_url"],
            "BASE_URL": self.ready["base_url"],
            "AUDIENCE": self.ready["audience_id"],
            "CLIENT_ID": self.machine["client_id"],
            "CLIENT_SECRET": self.machine["client_secret"],
        }

    def token(self):
        """An access token of the machine user."""
        scope = f"urn:idp:iam:org:project:id:{self.ready['audience_id']}:aud urn:idp:iam:user:resourceowner"
        answer = requests.post(
            f"{self.ready['auth_url']}/oauth/v2/token",
            auth=(self.machine["client_id"], self.machine["client_secret"]),
            data={"grant_type": "client_credentials", "scope": scope},
            timeout=30,
        )
        answer.raise_for_status()
        return answer.json()["access_token"]

    def grant(self, organization, role):
        """Gives the machine user a role."""
        headers = {"Authorization": f"Bearer {self.token()}"}
        answer = requests.get(f"{self.ready['auth_url']}/oidc/v1/userinfo", headers=headers, timeout=30)
        arguments = ["admin", "grants", "add", answer.json()["sub"], organization, role]
        output([self.program, *arguments, "--database", self.database])

    def errors(self):
        """What the service logged as an error."""
        return [line for line in self.log_lines().splitlines() if " ERROR " in line]

    def log_lines(self):
        self.log.flush()
        self.log.seek(0)
        return self.log.read().decode(errors="replace")

    def stop(self):
        self.process.terminate()
        self.process.wait(30)
        self.log.close()
        self.folder.cleanup()


def blocks(language):
    """The code of all blocks of a language in the examples, as one program."""
    text = EXAMPLES.read_text(encoding="utf-8")
    found = re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert found, f"{EXAMPLES} has no block of {language}"
    return "\n".join(found)


def passes(title, command, **options):
    """Runs a program; whether it succeeded."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    if done.returncode != 0:
        print(done.stdout)
    print(f"{'ok' if done.returncode == 0 else 'FAILED'}: {title}", flush=True)
    return done.returncode == 0


def document_key(service, token):
    """The key of a new document."""
    base = service.ready["base_url"]
    line = {"quantity": "1", "unitPrice": "1", "description": {"en": "a"}, "tax": {"category": "S", "rate": "15"}}
    content = {"buyer": {"name": {"en": "Palm Company"}}, "lines": [line]}
    body = {"changes": {"content": {"invoice": content}}}
    headers = {"Authorization": f"Bearer {token}"}
    created = requests.post(f"{base}/api/v2/documents", json=body, headers=headers, timeout=30)
    created.raise_for_status()
    return created.json()["documentKey"]


def configuration(operations, key):
    """What the fuzzer cannot guess: an organization that gets a request past the guard, and the key of a document, if it does not
    take that of an answer."""
    lines = ["[parameters]", f'"header.x-idp-orgid" = "{HOME}"', f'"path.organizationId" = "{ANOTHER_TENANT}"']
    lines += [f'"path.documentKey" = "{key}"'] if key else []
    for operation in operations:
        if "held by the role operator" in operation["description"]:
            lines += ["[[operations]]", f'include-operation-id = "{operation["operationId"]}"']
            lines += [f'parameters = {{ "header.x-idp-orgid" = "{OPERATOR}" }}']
    # It asks a server of somebody else, which does not answer here: 503, DOMAIN_UNREACHABLE.
    lines += ["[[operations]]", 'include-operation-id = "VerifyDomain"', "checks.not_a_server_error.enabled = false"]
    # A table at the end: what follows its header belongs to it.
    lines += ["[checks]", "enabled = false", *(f"{check}.enabled = true" for check in CHECKS)]
    return "\n".join(lines)


def described_operations(service):
    """The operations of the document."""
    document = requests.get(f"{service.ready['base_url']}/openapi.json", timeout=30).json()
    return [operation for path in document["paths"].values() for operation in path.values()]


def tests_all(report, described):
    """Whether the fuzzer sent requests of all operations that the document has. It succeeds also when its time was over before."""
    counts = json.loads(report.read_text(encoding="utf-8"))["operations"]
    is_whole = counts["total"] == counts["tested"] == described
    print(f"{counts['tested']} of the {described} operations in the document were tested")
    if not is_whole:
        reasons = ", ".join(counts["skip_reasons"]) or "it names none"
        print(f"FAILED: schemathesis found {counts['total']} operations and skipped {counts['skipped']} of them ({reasons});")
        print(f"{counts['errored']} had errors. All have to be tested: give it more seconds, or find out what it cannot send.")
    return is_whole


def fuzz(service, phases, seconds):
    """Schemathesis over every operation, for some seconds. In the phase `stateful` it sends what is in an answer, such as a key,
    with requests for other operations."""
    with tempfile.TemporaryDirectory() as folder:
        token = service.token()
        config = Path(folder) / "schemathesis.toml"
        report = Path(folder) / "report.json"
        is_stateful = phases == "stateful"
        key = None if is_stateful else document_key(service, token)
        operations = described_operations(service)
        config.write_text(configuration(operations, key), encoding="utf-8")
        command = [str(PYTHON_PROGRAMS / "st"), "--config-file", str(config), "run"]
        command += [f"{service.ready['base_url']}/openapi.json"]
        command += ["--report-json-path", str(report)]
        command += ["--header", f"Authorization: Bearer {token}"]
        # One thread: several that parse Python at once fail at random in CPython 3.11 ("AST constructor recursion depth mismatch").
        command += ["--max-time", str(seconds), "--phases", phases, "--workers", "1"]
        # The same cases in every run: a failure is about a change and not about chance.
        command += ["--generation-deterministic"]
        command += ["--suppress-health-check", "all", "--no-color"]
        passed = passes(f"schemathesis over /openapi.json: {phases}", command, cwd=folder)
        # Sequences are of operations that take what is in answers of others.
        return passed and (is_stateful or tests_all(report, len(operations)))


def main():
    parser = argparse.ArgumentParser(description="Runs foreign clients against the service.")
    parser.add_argument("program", help="the program of the service")
    parser.add_argument("single_seconds", type=int, help="seconds of schemathesis for single requests")
    parser.add_argument("sequence_seconds", type=int, help="seconds of schemathesis for sequences of requests")
    parser.add_argument("--test-postgres", help="the program that creates databases on PostgreSQL")
    arguments = parser.parse_args()
    service = Service(arguments.program, arguments.test_postgres)
    try:
        environment = service.environment()
        outcomes = [
            passes("curl and buf curl examples, over REST and gRPC", ["sh", "-eu"], input=blocks("sh"), env=environment),
            passes("Python examples, over REST and gRPC", [sys.executable, "-"], input=blocks("python"), env=environment),
        ]
        service.grant(HOME, "administrator")
        service.grant(OPERATOR, "operator")
        outcomes.append(fuzz(service, "examples,coverage,fuzzing", arguments.single_seconds))
        outcomes.append(fuzz(service, "stateful", arguments.sequence_seconds))
        errors = service.errors()
        print("\n".join(errors))
        outcomes.append(not errors)
        print(f"{'FAILED' if errors else 'ok'}: no error in the log")
    finally:
        service.stop()
    print(f"{outcomes.count(True)} passed, {outcomes.count(False)} failed")
    sys.exit(0 if all(outcomes) else 1)


if __name__ == "__main__":
    main()
