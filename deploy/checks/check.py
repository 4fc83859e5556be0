"""Checks the files of deploy/: linters, schemas, and the rules that hold between the files.

Run by `cargo xtask test` with the Python of target/deploy-checks, in which requirements.txt is installed.
The last line is `N passed, N failed`.
"""

import ipaddress
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import promql_parser
import yaml

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
CHECKS = DEPLOY / "checks"
KUBERNETES = DEPLOY / "kubernetes"
PROGRAMS = Path(sys.executable).parent
# The newest version whose schemas there are, and the oldest that still had corrections when this was written.
KUBERNETES_VERSIONS = ["1.37.0", "1.34.0"]
# Kinds of extensions, which Kubernetes itself has no schema of.
WITHOUT_SCHEMA = {"kustomization.yaml", "service-monitor.yaml"}
# Metrics of kube-state-metrics that an alert uses, with their labels.
OF_KUBERNETES = {
    "kube_cronjob_created": {"namespace", "cronjob"},
    "kube_cronjob_status_last_successful_time": {"namespace", "cronjob"},
}
# The service may take this much longer to end than its drain delay and timeout together (decision 0110).
SECONDS_TO_END = 5


def run(program, *arguments):
    """The output of a program of requirements.txt that found something, else nothing."""
    return output_of_failure(PROGRAMS / program, *arguments)


def run_of_system(program, *arguments, **variables):
    """The output of a program of the system that found something, else nothing."""
    # Debian keeps programs of servers where only root looks.
    path = shutil.which(program, path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"]))
    if not path:
        return [f"{program} is not installed. On Debian and Ubuntu cargo xtask test --only deploy fetches it; elsewhere install it"]
    return output_of_failure(path, *arguments, **variables)


def output_of_failure(program, *arguments, **variables):
    command = [str(program), *map(str, arguments)]
    environment = os.environ | variables
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env=environment)
    if done.returncode == 0:
        return []
    return done.stdout.splitlines() or [f"{program} ended with {done.returncode}"]


def documents(path):
    """The documents of a YAML file."""
    with path.open(encoding="utf-8") as file:
        return [document for document in yaml.safe_load_all(file) if document]


def compose():
    return documents(DEPLOY / "compose.yaml")[0]


def manifests():
    """Each manifest of Kubernetes, with its file."""
    for path in sorted(KUBERNETES.glob("*.yaml")):
        for document in documents(path):
            yield path, document


def pods():
    """The template of each pod, with its file."""
    for path, document in manifests():
        spec = document.get("spec", {})
        # A CronJob holds the job that holds the pod.
        template = spec.get("jobTemplate", {}).get("spec", spec).get("template")
        if template:
            yield path, template["spec"]


def yaml_is_well_formed():
    return run("yamllint", "--strict", "--format", "parsable", "--config-file", CHECKS / "yamllint.yaml", DEPLOY)


def container_file_follows_the_rules_of_hadolint():
    return run("hadolint", "--no-color", "--failure-threshold", "style", DEPLOY / "Containerfile")


def shell_scripts_follow_the_rules_of_shellcheck():
    return run("shellcheck", *sorted(DEPLOY.rglob("*.sh")))


def manifests_follow_the_schemas_of_kubernetes():
    files = [path for path in sorted(KUBERNETES.glob("*.yaml")) if path.name not in WITHOUT_SCHEMA]
    found = []
    for version in KUBERNETES_VERSIONS:
        found += run("kubernetes-validate", "--strict", "--quiet", "--kubernetes-version", version, *files)
    return found


def compose_file_follows_its_schema():
    return run("check-jsonschema", "--builtin-schema", "vendor.compose-spec", DEPLOY / "compose.yaml")


def alert_rules_follow_their_schema():
    return run("check-jsonschema", "--schemafile", CHECKS / "alert-rules.schema.json", DEPLOY / "prometheus/alerts.yaml")


def alerts_fire_when_they_should():
    return run_of_system("promtool", "test", "rules", DEPLOY / "prometheus/alerts_test.yaml")


def configuration_of_the_proxy_is_accepted():
    with tempfile.TemporaryDirectory() as folder:
        certificate = Path(folder) / "proxy.pem"
        found = run_of_system(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=proxy",
            "-keyout", certificate, "-out", Path(folder) / "proxy.crt",
        )  # fmt: skip
        if found:
            return found
        with certificate.open("a", encoding="utf-8") as file:
            file.write((Path(folder) / "proxy.crt").read_text(encoding="utf-8"))
        variables = compose()["services"]["proxy"]["environment"] | {
            "IDENTITY_HOST": "id.example.com",
            "GATEWAY_HOST": "api.example.com",
            "CERTIFICATE": str(certificate),
        }
        return run_of_system("haproxy", "-c", "-f", DEPLOY / "haproxy/haproxy.cfg", **variables)


def errors_of_the_proxy_are_those_of_the_contract():
    """What the proxy answers by itself, with a correlation id and when to try again. No replica was reached: no body. The answer of
    one is lost: 503 as well, with a body that says that the outcome is unknown (decision 0191)."""
    lines = (DEPLOY / "haproxy/haproxy.cfg").read_text(encoding="utf-8").splitlines()
    errors, section = {}, ""
    for line in lines:
        if re.match(r"\w", line):
            section = line
        error = re.fullmatch(r"\s+http-error status (\d+) (?:content-type application/json string '([^']*)' )?(.+)", line)
        if error:
            errors[section, error[1]] = (error[2] and json.loads(error[2]), error[3])
    headers = "hdr retry-after 1 hdr x-correlation-id %[var(txn.correlation_id)]"
    message = "the answer was lost; whether the request was executed is unknown"
    reason = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "ANSWER_LOST", "domain": "invoicing", "metadata": {}}
    bodies = {
        "backend identity": {"error": "temporarily_unavailable", "error_description": message},
        "backend gateway": {"code": 14, "message": message, "details": [reason]},
    }
    expected = {(backend, status): (body, headers) for backend, body in bodies.items() for status in ("502", "504")}
    expected["frontend https", "503"] = (None, headers)
    found = [
        f"haproxy.cfg: {section} answers {status} with {errors.get((section, status))}, and not with {answer}"
        for (section, status), answer in expected.items()
        if errors.get((section, status)) != answer
    ]
    for rule in (
        "http-response set-var(txn.is_of_replica) bool(true)",
        "http-after-response set-status 503 if { status 502 504 } !{ var(txn.is_of_replica) -m found }",
    ):
        if f"    {rule}" not in lines:
            found.append(f"haproxy.cfg lacks {rule}")
    return found


def dashboard_follows_its_schema():
    return run("check-jsonschema", "--schemafile", CHECKS / "dashboard.schema.json", DEPLOY / "grafana/dashboard.json")


def panels_of_the_dashboard_have_ids_of_their_own_and_do_not_overlap():
    panels = json.loads((DEPLOY / "grafana/dashboard.json").read_text(encoding="utf-8"))["panels"]
    ids = [panel["id"] for panel in panels]
    found = [f"two panels have the id {number}" for number in set(ids) if ids.count(number) > 1]
    taken = {}
    for panel in panels:
        place = panel["gridPos"]
        for x in range(place["x"], place["x"] + place["w"]):
            for y in range(place["y"], place["y"] + place["h"]):
                other = taken.setdefault((x, y), panel["title"])
                if other != panel["title"]:
                    found.append(f"'{panel['title']}' overlaps '{other}'")
                if x > 23:
                    found.append(f"'{panel['title']}' is wider than the page")
    return sorted(set(found))


def exported_metrics():
    """The labels of each metric that the service exports, by its name. A test of the service keeps the list complete."""
    lines = (DEPLOY / "prometheus/metrics.txt").read_text(encoding="utf-8").splitlines()
    parts = [re.fullmatch(r"(\w+)\{([\w,]*)\} .+", line) for line in lines]
    return {part[1]: set(part[2].split(",")) for part in parts}


def expressions():
    """Each expression of the dashboard and the alerts, with where it is."""
    for panel in json.loads((DEPLOY / "grafana/dashboard.json").read_text(encoding="utf-8"))["panels"]:
        for target in panel.get("targets", []):
            # Grafana fills in a duration.
            yield f"panel '{panel['title']}'", target["expr"].replace("$__rate_interval", "5m")
    for group in documents(DEPLOY / "prometheus/alerts.yaml")[0]["groups"]:
        for rule in group["rules"]:
            yield f"alert {rule['alert']}", rule["expr"]


def expressions_use_metrics_and_labels_that_the_service_exports():
    exported = exported_metrics()
    there = exported | OF_KUBERNETES
    # Prometheus adds these to every series.
    added = {"instance", "job"}
    found = []
    used = set()
    for place, text in expressions():
        try:
            promql_parser.parse(text)
        except ValueError as error:
            found.append(f"{place}: {error}: {text}")
            continue
        names = set(re.findall(r"\b(?:invoicing|kube)_\w+", text))
        used |= names
        found += [f"{place}: there is no metric {name}" for name in sorted(names - there.keys())]
        if not names:
            found.append(f"{place}: no metric of the service or of its job in {text}")
        known = added.union(*(there.get(name, set()) for name in names))
        labels = re.findall(r"(\w+)\s*(?:=~|!~|!=|=)\s*\"", text)
        for listed in re.findall(r"\b(?:by|without|on|ignoring)\s*\(([^)]*)\)", text):
            labels += [label.strip() for label in listed.split(",")]
        found += [f"{place}: no metric here has the label {label}" for label in sorted(set(labels) - known)]
    # Counts and sums of histograms are there for other questions.
    shown = {name for name in exported if not name.endswith(("_count", "_sum"))}
    found += [f"neither dashboard nor alerts use {name}" for name in sorted(shown - used)]
    return found


def seconds(text):
    """A duration of compose, as 30s or 1m."""
    match = re.fullmatch(r"(?:(\d+)m)?(?:(\d+)s)?", text)
    return int(match[1] or 0) * 60 + int(match[2] or 0)


def drain_seconds(settings):
    return int(settings["INVOICING_DRAIN_DELAY"]) + int(settings["INVOICING_DRAIN_TIMEOUT"]) + SECONDS_TO_END


def replicas_are_killed_only_after_their_drain():
    found = []
    service = compose()["services"]["service"]
    if seconds(service["stop_grace_period"]) <= drain_seconds(service["environment"]):
        found.append("compose.yaml: stop_grace_period is too short")
    settings = next(document for _, document in manifests() if document["kind"] == "ConfigMap" and "INVOICING_KIND" in document["data"])
    deployment = next(document for _, document in manifests() if document["kind"] == "Deployment")
    if deployment["spec"]["template"]["spec"]["terminationGracePeriodSeconds"] <= drain_seconds(settings["data"]):
        found.append("deployment.yaml: terminationGracePeriodSeconds is too short")
    return found


def containers_have_no_privileges():
    found = []
    for path, pod in pods():
        context = pod.get("securityContext", {})
        if not context.get("runAsNonRoot") or not context.get("runAsUser"):
            found.append(f"{path.name}: the pod may run as root")
        if context.get("seccompProfile", {}).get("type") != "RuntimeDefault":
            found.append(f"{path.name}: the pod has no seccomp profile")
        if pod.get("automountServiceAccountToken") is not False:
            found.append(f"{path.name}: the pod gets a token of the cluster")
        for container in pod["containers"]:
            own = container.get("securityContext", {})
            if not own.get("readOnlyRootFilesystem") or own.get("allowPrivilegeEscalation") is not False:
                found.append(f"{path.name}: {container['name']} may write, or gain privileges")
            if own.get("capabilities", {}).get("drop") != ["ALL"]:
                found.append(f"{path.name}: {container['name']} keeps capabilities")
            if not {"requests", "limits"} <= container.get("resources", {}).keys():
                found.append(f"{path.name}: {container['name']} has no requests or limits")
    for name in ("service", "migrate", "proxy"):
        service = compose()["services"][name]
        if not service.get("read_only") or service.get("cap_drop") != ["ALL"]:
            found.append(f"compose.yaml: {name} may write, or keeps capabilities")
    return found


def megabytes(text):
    """A size of compose or Kubernetes, as 512m, 1g or 2Gi."""
    match = re.fullmatch(r"(\d+)([mMgG])i?", text)
    return int(match[1]) * (1024 if match[2] in "gG" else 1)


def replicas_have_a_limited_folder_for_temporary_files():
    found = []
    service = compose()["services"]["service"]
    sizes = [re.fullmatch(r"/tmp:size=(\w+)", mount) for mount in service.get("tmpfs", [])]
    sizes = [megabytes(size[1]) for size in sizes if size]
    if not sizes:
        found.append("compose.yaml: service has no tmpfs at /tmp with a size, and workbooks cannot be written")
    # The rest is for the program.
    elif 2 * sizes[0] > megabytes(service["deploy"]["resources"]["limits"]["memory"]):
        found.append("compose.yaml: the tmpfs of service can take more than half of its memory")
    pod = next(document for _, document in manifests() if document["kind"] == "Deployment")["spec"]["template"]["spec"]
    mounts = {mount["mountPath"]: mount["name"] for mount in pod["containers"][0]["volumeMounts"]}
    volume = next((volume for volume in pod["volumes"] if volume["name"] == mounts.get("/tmp")), {})
    if "sizeLimit" not in volume.get("emptyDir", {}):
        found.append("deployment.yaml: /tmp is no emptyDir with a limit, and workbooks cannot be written")
    return found


def replicas_have_probes():
    found = []
    for path, document in manifests():
        if document["kind"] == "Deployment":
            for container in document["spec"]["template"]["spec"]["containers"]:
                for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
                    if probe not in container:
                        found.append(f"{path.name}: {container['name']} has no {probe}")
    return found


def images_have_versions():
    images = [service["image"] for service in compose()["services"].values()]
    images += [container["image"] for _, pod in pods() for container in pod["containers"]]
    arguments = re.findall(r"^ARG \w+_IMAGE=(\S+)$", (DEPLOY / "Containerfile").read_text(encoding="utf-8"), re.MULTILINE)
    kustomized = {image["name"]: image["newTag"] for image in documents(KUBERNETES / "kustomization.yaml")[0]["images"]}
    found = []
    for image in images + arguments:
        _, _, tag = image.rpartition("/")[2].partition(":")
        tag = tag or kustomized.get(image, "")
        if tag in ("", "latest"):
            found.append(f"{image} has no version")
    return found


def versions_are_those_of_the_workspace():
    def first(path, pattern):
        return re.search(pattern, (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)[1]

    version = first("Cargo.toml", r'^version = "(.+)"$')
    compiler = first("rust-toolchain.toml", r'^channel = "(.+)"$')
    expected = {
        "deploy/Containerfile": [f"rust:{compiler}-", f"RUSTUP_TOOLCHAIN={compiler}\n", f'image.version="{version}"'],
        "deploy/compose.yaml": [f"image: invoicing-service:{version}\n"],
        "deploy/kubernetes/kustomization.yaml": [f"newTag: {version}\n"],
        "deploy/kubernetes/migration-job.yaml": [f"/invoicing-service:{version}\n"],
        "deploy/kubernetes/audit-archive.yaml": [f"/invoicing-service:{version}\n"],
    }
    found = []
    for path, texts in expected.items():
        written = (ROOT / path).read_text(encoding="utf-8")
        found += [f"{path} does not contain {text.strip()}" for text in texts if text not in written]
    return found


def kustomization_lists_every_manifest():
    listed = set(documents(KUBERNETES / "kustomization.yaml")[0]["resources"])
    # Applied by hand, before the others or in some clusters only.
    alone = {"kustomization.yaml", "secret.example.yaml", "migration-job.yaml", "service-monitor.yaml", "audit-archive.yaml"}
    files = {path.name for path in KUBERNETES.glob("*.yaml")}
    return [f"{name} is missing" for name in sorted((files - alone) ^ listed)]


def connections_of_all_replicas_fit_into_the_database():
    database = (DEPLOY / "postgres/postgresql.conf").read_text(encoding="utf-8")
    allowed = int(re.search(r"^max_connections = (\d+)$", database, re.MULTILINE)[1])
    service = compose()["services"]["service"]
    replicas = service["deploy"]["replicas"]
    # During an upgrade both versions run.
    needed = 2 * replicas * int(service["environment"]["INVOICING_DATABASE_CONNECTIONS"]) + 20
    return [] if needed <= allowed else [f"max_connections is {allowed}, and {needed} are needed"]


def migration_can_be_run_again_and_takes_as_long_as_it_needs():
    found = []
    path, job = next((path, document) for path, document in manifests() if document["kind"] == "Job")
    if "ttlSecondsAfterFinished" not in job["spec"]:
        found.append(f"{path.name}: the job stays when it has ended, and `apply` runs none")
    pod = job["spec"]["template"]["spec"]
    if "activeDeadlineSeconds" in job["spec"] or "activeDeadlineSeconds" in pod:
        found.append(f"{path.name}: a deadline ends the building of an index")
    metadata = job["metadata"]
    commands = [
        f"kubectl delete job --namespace {metadata['namespace']} --ignore-not-found {metadata['name']}",
        f"kubectl apply --filename deploy/kubernetes/{path.name}",
    ]
    written = [line.strip() for line in (ROOT / "docs/operations.md").read_text(encoding="utf-8").splitlines()]
    if not any(written[at : at + 2] == commands for at in range(len(written))):
        found.append("operations.md does not delete the job before it is applied again")
    return found


def old_primary_is_not_started_beside_the_new_one():
    return [
        f"compose.yaml: {name} is started again by itself, also after a failover"
        for name, service in compose()["services"].items()
        if "/postgres:" in service["image"] and service.get("restart") != "no"
    ]


class Replacement(dict):
    """A mapping that Compose does not merge with that of the file before."""


class TaggedLoader(yaml.SafeLoader):
    """Reads what Compose tags: a value that is removed, and one that is replaced."""


TaggedLoader.add_constructor("!reset", lambda loader, node: None)
TaggedLoader.add_constructor("!override", lambda loader, node: Replacement(loader.construct_mapping(node, deep=True)))


def file_for_a_failover_exchanges_the_databases():
    with (DEPLOY / "compose.failover.yaml").open(encoding="utf-8") as file:
        after = yaml.load(file, TaggedLoader)["services"]  # The loader is a safe one.
    before = compose()["services"]
    primary, standby = "postgres-primary", "postgres-standby"
    found = [f"compose.failover.yaml: compose.yaml has no {name}" for name in sorted(after.keys() - before.keys())]
    if before[standby]["environment"].get("PRIMARY_HOST") != primary:
        found.append(f"compose.yaml: {standby} is no standby of {primary}")
    if after[primary]["environment"] != {"PRIMARY_HOST": standby}:
        found.append(f"compose.failover.yaml: {primary} is no standby of {standby}")
    # The new primary would be stopped until the old one is there.
    if after[standby] != {"depends_on": None}:
        found.append(f"compose.failover.yaml: {standby} depends on others, or is made anew because something else of it changes")
    needs_old_primary = {name for name, service in before.items() if primary in service.get("depends_on", {})} - {standby}
    for name in sorted(needs_old_primary | {primary}):
        needs = after.get(name, {}).get("depends_on", {})
        if set(needs) != {standby} or ("depends_on" in before[name] and not isinstance(needs, Replacement)):
            found.append(f"compose.failover.yaml: {name} does not wait for {standby} alone")
    return found


def options_that_need_others_have_them():
    """What `serve` refuses (crates/service/src/program/serve_arguments.rs and start_error.rs), with the variables of the image."""
    container = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    # Comments name variables, too.
    image = dict(re.findall(r"^(?!#).*?\b(INVOICING_\w+)=(\S+)", container, re.MULTILINE))
    settings = next(document for _, document in manifests() if document["kind"] == "ConfigMap" and "INVOICING_KIND" in document["data"])
    places = {"compose.yaml": compose()["services"]["service"]["environment"], "config-map.yaml": settings["data"]}
    found = []
    for place, variables in places.items():
        all_variables = image | variables
        has_tls = "INVOICING_TLS_CERT" in all_variables
        if has_tls != ("INVOICING_TLS_KEY" in all_variables):
            found.append(f"{place}: a certificate and its key belong together")
        if not has_tls and all_variables.get("INVOICING_METRICS_IN_CLEAR") != "true":
            found.append(f"{place}: metrics without TLS are refused for an address that other machines reach")
        for name in ("INVOICING_PUBLIC_IDENTITY", "INVOICING_PUBLIC_GATEWAY"):
            if not all_variables.get(name, "").startswith("https://"):
                found.append(f"{place}: {name} has to be an https address")
        if all_variables.get("INVOICING_KIND", "local") != "local":
            if "INVOICING_AUDIENCE_ID" not in all_variables:
                found.append(f"{place}: only the kind local has a project-audience id of its own")
            if "INVOICING_SEED" in all_variables:
                found.append(f"{place}: demo data is for the kind local")
        if "INVOICING_INVOICES" in all_variables and "INVOICING_SEED" not in all_variables:
            found.append(f"{place}: INVOICING_INVOICES needs INVOICING_SEED")
    return found


def replicas_have_encryption_keys_that_not_everybody_can_read():
    found = []
    name = "INVOICING_ENCRYPTION_KEY_FILE"
    service = compose()["services"]["service"]
    file = service["environment"].get(name)
    mounted = {volume.split(":")[1]: volume.split(":")[0] for volume in service["volumes"]}
    if file not in mounted:
        found.append(f"compose.yaml: {name} is no file that is mounted")
    elif mounted[file].removeprefix("./secrets/") not in (DEPLOY / "create-trial-secrets.sh").read_text(encoding="utf-8"):
        found.append(f"create-trial-secrets.sh does not create {mounted[file]}")
    settings = next(document for _, document in manifests() if document["kind"] == "ConfigMap" and "INVOICING_KIND" in document["data"])
    folder, _, key = settings["data"].get(name, "").rpartition("/")
    pod = next(document for _, document in manifests() if document["kind"] == "Deployment")["spec"]["template"]["spec"]
    mounts = {mount["mountPath"]: mount["name"] for mount in pod["containers"][0]["volumeMounts"]}
    volume = next((volume for volume in pod["volumes"] if volume["name"] == mounts.get(folder)), {})
    secret = volume.get("secret", {})
    if not secret:
        found.append(f"deployment.yaml: {name} is in no secret that is mounted")
    elif secret.get("defaultMode", 0o644) & 0o007 or "fsGroup" not in pod["securityContext"]:
        found.append("deployment.yaml: everybody can read the encryption keys, or the service cannot")
    example = {document["metadata"]["name"]: document for _, document in manifests() if document["kind"] == "Secret"}
    if key not in example.get(secret.get("secretName"), {}).get("stringData", {}):
        found.append(f"secret.example.yaml has no {key!r}")
    return found


def databases_are_healthy_only_when_they_accept_connections_of_others():
    found = []
    rules = (DEPLOY / "postgres/pg_hba.conf").read_text(encoding="utf-8")
    admitted = {tuple(line.split()[1:3]) for line in rules.splitlines() if line.startswith("host")}
    databases = {name: service for name, service in compose()["services"].items() if "/postgres:" in service["image"]}
    if len(databases) < 2:
        found.append("compose.yaml: a primary and a standby were expected")
    for name, service in databases.items():
        test = service.get("healthcheck", {}).get("test", [])
        options = dict(option.removeprefix("--").split("=", 1) for option in test if option.startswith("--") and "=" in option)
        # The temporary server of the image, before roles and database exist, listens at the Unix socket only.
        if "pg_isready" not in test or options.get("host") != "127.0.0.1":
            found.append(f"compose.yaml: {name} is asked for its health at the Unix socket")
        if (options.get("dbname"), options.get("username")) not in admitted:
            found.append(f"compose.yaml: pg_hba.conf refuses the health check of {name}, which the server logs each time")
    return found


def fixed_addresses_are_given_to_nobody_else():
    found = []
    file = compose()
    fixed = {}
    for name, service in file["services"].items():
        networks = service.get("networks", [])
        for network in networks if isinstance(networks, dict) else {}:
            address = (networks[network] or {}).get("ipv4_address")
            if not address:
                continue
            address = ipaddress.ip_address(address)
            fixed[name] = address
            for pool in file["networks"][network]["ipam"]["config"]:
                subnet = ipaddress.ip_network(pool["subnet"])
                # Without a range of its own any free address of the subnet is given.
                given = ipaddress.ip_network(pool.get("ip_range", pool["subnet"]))
                if address not in subnet or not given.subnet_of(subnet):
                    found.append(f"compose.yaml: {subnet} does not contain {address} and {given}")
                if address in given:
                    found.append(f"compose.yaml: the address of {name} may be given to another container")
    believed = file["services"]["service"]["environment"]["INVOICING_PROXY"]
    if ipaddress.ip_address(believed) != fixed.get("proxy"):
        found.append("compose.yaml: INVOICING_PROXY is not the fixed address of the proxy")
    return found


def audit_is_archived_after_the_days_of_the_config_map():
    found = []
    name = "INVOICING_AUDIT_RETENTION"
    settings = next(document for _, document in manifests() if document["kind"] == "ConfigMap" and "INVOICING_KIND" in document["data"])
    if name not in settings["data"]:
        found.append(f"config-map.yaml has no {name}")
    pod = next(pod for path, pod in pods() if path.name == "audit-archive.yaml")
    variables = {variable["name"]: variable for variable in pod["containers"][0]["env"]}
    reference = variables.get(name, {}).get("valueFrom", {}).get("configMapKeyRef", {})
    if (reference.get("name"), reference.get("key")) != (settings["metadata"]["name"], name):
        found.append(f"audit-archive.yaml does not take {name} from config-map.yaml")
    return found


def alerts_about_jobs_name_those_of_the_manifests():
    jobs = [document["metadata"] for _, document in manifests() if document["kind"] == "CronJob"]
    named = [f'{{namespace="{job["namespace"]}", cronjob="{job["name"]}"}}' for job in jobs]
    return [
        f"{place}: no manifest has the job {labels}"
        for place, text in expressions()
        for labels in re.findall(r"\bkube_cronjob_\w+(\{[^}]*\})", text)
        if labels not in named
    ]


TESTS = [
    yaml_is_well_formed,
    container_file_follows_the_rules_of_hadolint,
    shell_scripts_follow_the_rules_of_shellcheck,
    manifests_follow_the_schemas_of_kubernetes,
    compose_file_follows_its_schema,
    alert_rules_follow_their_schema,
    alerts_fire_when_they_should,
    configuration_of_the_proxy_is_accepted,
    errors_of_the_proxy_are_those_of_the_contract,
    dashboard_follows_its_schema,
    panels_of_the_dashboard_have_ids_of_their_own_and_do_not_overlap,
    expressions_use_metrics_and_labels_that_the_service_exports,
    replicas_are_killed_only_after_their_drain,
    containers_have_no_privileges,
    replicas_have_a_limited_folder_for_temporary_files,
    replicas_have_probes,
    images_have_versions,
    versions_are_those_of_the_workspace,
    kustomization_lists_every_manifest,
    connections_of_all_replicas_fit_into_the_database,
    migration_can_be_run_again_and_takes_as_long_as_it_needs,
    old_primary_is_not_started_beside_the_new_one,
    file_for_a_failover_exchanges_the_databases,
    options_that_need_others_have_them,
    replicas_have_encryption_keys_that_not_everybody_can_read,
    databases_are_healthy_only_when_they_accept_connections_of_others,
    fixed_addresses_are_given_to_nobody_else,
    audit_is_archived_after_the_days_of_the_config_map,
    alerts_about_jobs_name_those_of_the_manifests,
]


def main():
    failed = 0
    for test in TESTS:
        try:
            found = test()
        except Exception as error:  # A file that cannot be read is a finding, not the end of the others.
            found = [f"{type(error).__name__}: {error}"]
        name = test.__name__.replace("_", " ")
        print(f"{'FAIL' if found else 'pass'}  {name}")
        for line in found:
            print(f"      {line}")
        failed += bool(found)
    print(f"{len(TESTS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
