#!/usr/bin/env bash
# Parts of the tiny run, and a study of one's own by the installed package, by jobs without a shared
# disk must give the tables and figures of local runs. Storage is a server with the interface of S3, for this machine only; each job runs in an empty
# folder of its own, where it sees neither the project nor the folder of the run.
#
#   tests/cluster/cloud.sh              the test
set -euo pipefail
cd "$(dirname "$0")/../.."
project=$PWD
python=$project/.venv/bin/python
seconds=600 # a run that takes longer hangs
# Of predictions, of what is traced over them, and of a study that trains.
targets=(results/tables/bifet2013/table2.csv figures/bifet2013/fig2
  results/data/bifet2013/fig9/markov_ozone.lags.csv)

skip() {
  echo "The test without a shared disk is skipped: $*"
  exit 0
}
step() { printf '\n-- %s (after %d s)\n' "$*" "$SECONDS"; }

[ -x "$python" ] || skip "no environment in .venv; run make test first."
command -v unshare > /dev/null || skip "there is no unshare, which hides the project from jobs."
apart=(unshare --mount)
[ "$(id -u)" = 0 ] || apart=(unshare --user --map-root-user --mount)
"${apart[@]}" true 2> /dev/null || skip "unshare may not hide folders from jobs here."

place=$(mktemp -d "${TMPDIR:-/tmp}/streameval-cloud.XXXXXX")
server= running=
tidy() {
  [ -z "$running" ] || kill "$running" 2> /dev/null || true
  # Of jobs that an interrupted run has left.
  for pid in "$place"/machines/*/pid; do
    [ ! -f "$pid" ] || [ -f "${pid%pid}status" ] || kill -- "-$(cat "$pid")" 2> /dev/null || true
  done
  [ -z "$server" ] || kill "$server" 2> /dev/null || true
  wait
  rm -rf "$place"
}
trap tidy EXIT

step "Plug-ins and a server"
# Beside .venv, not in it: Snakemake would load the plug-ins at every start.
pip=("$python" -m pip install -qq --disable-pip-version-check)
"${pip[@]}" --no-deps --target "$place/plugins" -r requirements-cloud.txt \
  snakemake-executor-plugin-cluster-generic==1.0.9 \
  || skip "the plug-ins could not be installed."
"${pip[@]}" --target "$place/server" 'moto[s3]==5.2.5' flask==3.1.3 flask-cors==6.0.5 \
  || skip "the server could not be installed."
port=$("$python" -c "
from socket import socket
with socket() as one:
    one.bind(('127.0.0.1', 0))
    print(one.getsockname()[1])")
unset AWS_PROFILE AWS_SESSION_TOKEN NUMBA_CACHE_DIR
export SNAKEMAKE_STORAGE_S3_ENDPOINT_URL=http://127.0.0.1:$port
export SNAKEMAKE_STORAGE_S3_ACCESS_KEY=nobody SNAKEMAKE_STORAGE_S3_SECRET_KEY=nothing
PYTHONPATH=$place/server "$python" -m moto.server -H 127.0.0.1 -p "$port" \
  > "$place/server.log" 2>&1 &
server=$!

# -- Machines --------------------------------------------------------------------------------------
# submit SCRIPT: run it on a new machine, whose name is printed. It has the image's environment, which
# is .venv with the plug-in, and an empty folder. What the machine of the run has is hidden. By what
# OpenBLAS is told it is of an older kind than that one: no table may depend on it.
mkdir "$place/machines" "$place/bin"
cat > "$place/bin/submit" << SUBMIT
#!/usr/bin/env bash
machine=\$(mktemp -d "$place/machines/XXXXXX")
mkdir "\$machine/work" "\$machine/home"
cp "\${!#}" "\$machine/script"
setsid "$place/bin/machine" "\$machine" > "\$machine/log" 2>&1 < /dev/null &
echo \$! > "\$machine/pid"
echo "\$machine"
SUBMIT
cat > "$place/bin/machine" << MACHINE
#!/usr/bin/env bash
if ${apart[*]} bash -c '
  for hidden in "$place"/{clone,own,installed,mirror} "$project"/{src,config,workflow,resources}; do
    [ ! -d "\$hidden" ] || mount -t tmpfs none "\$hidden" || exit 1
  done
  cd "\$0/work" || exit 1
  exec env -i OPENBLAS_CORETYPE=Prescott HOME="\$0/home" NUMBA_CACHE_DIR="$place/kernels" PATH="$project/.venv/bin:/usr/bin:/bin" MPLBACKEND=Agg \
    PYTHONPATH="$place/plugins\${IMAGE:+:\$IMAGE}" sh "\$0/script"
' "\$1"; then echo success > "\$1/.status"; else echo failed > "\$1/.status"; fi
mv "\$1/.status" "\$1/status"
rm -rf "\$1/work"
MACHINE
cat > "$place/bin/status" << STATUS
#!/usr/bin/env bash
cat "\$1/status" 2> /dev/null || echo running
STATUS
chmod +x "$place"/bin/*

# run FOLDER OPTION...: a run of the folder. No job may hang for ever.
run() {
  local folder=$1 begun=$SECONDS
  shift
  (
    cd "$folder"
    exec timeout "$seconds" "$project/.venv/bin/snakemake" --workflow-profile "$project/profiles/cloud" \
      --executor cluster-generic --cluster-generic-submit-cmd "$place/bin/submit" \
      --cluster-generic-status-cmd "$place/bin/status" --seconds-between-status-checks 1 \
      --jobs 2 --default-storage-prefix "s3://$(basename "$folder")" "$@"
  ) > "$folder.log" 2>&1 &
  running=$!
  wait "$running" || {
    status=$?
    tail -n 60 "$folder.log"
    for log in "$place"/machines/*/log; do
      ! grep --quiet --no-messages failed "${log%log}status" || tail -n 40 "$log"
    done
    [ "$status" != 124 ] || echo "The run did not end in $seconds s."
    exit 1
  }
  running=
  echo "$((SECONDS - begun)) s"
}

# -- The test --------------------------------------------------------------------------------------
step "Parts of the tiny run, in a copy of the clone without its history"
mkdir "$place/clone"
git ls-files -z | tar --create --null --files-from - | tar --extract --directory "$place/clone"
# The machines have the compiled kernels of this clone; else each job would compile its own.
mkdir -p "$place/kernels/streameval"
cp -r src/streameval/__pycache__/kernels-* "$place/kernels/streameval" 2> /dev/null || true
export PYTHONPATH=$place/clone/src:$place/plugins
run "$place/clone" --configfile config/test.yaml -- "${targets[@]}"
grep --quiet "evaluate_learners" "$place"/machines/*/log || {
  echo "The learners did not run on other machines."
  exit 1
}

step "What is in storage"
PYTHONPATH=$place/plugins "$python" - tests/digests/tiny.json "${targets[@]}" << 'PYTHON'
import hashlib
import json
import os
import sys

import boto3

storage = boto3.client(
    "s3",
    endpoint_url=os.environ["SNAKEMAKE_STORAGE_S3_ENDPOINT_URL"],
    aws_access_key_id="nobody",
    aws_secret_access_key="nothing",
    region_name="us-east-1",
)
listed = storage.get_paginator("list_objects_v2").paginate(Bucket="clone")
names = [one["Key"] for page in listed for one in page["Contents"]]
expected = json.load(open(sys.argv[1]))
compared = 0
for name in names:
    if name in expected:
        content = storage.get_object(Bucket="clone", Key=name)["Body"].read()
        compared += 1
        if hashlib.sha256(content).hexdigest() != expected[name]:
            sys.exit(f"{name} is not what a local run gives.")
for target in sys.argv[2:]:
    if not any(name.startswith(target) and name in expected for name in names):
        sys.exit(f"{target} is not in storage.")
print(f"The digests of {compared} files are those of a local run; {len(names)} files in all.")
PYTHON

step "Another run has nothing to do"
run "$place/clone" --configfile config/test.yaml -- "${targets[@]}"
grep --quiet "Nothing to be done" "$place/clone.log" || {
  cat "$place/clone.log"
  exit 1
}

step "A study of one's own by the installed package, with a raw file from STREAMEVAL_DATA"
"${pip[@]}" --no-deps --no-build-isolation --target "$place/installed" "$place/clone"
cp -r "$place/installed" "$place/image" # of the jobs
mkdir -p "$place"/{own,mirror/demand}
cp examples/{loans.csv,nearest_mean.py} "$place/own"
cp examples/demand.csv "$place/mirror/demand"
digest=$(sha256sum examples/demand.csv | cut -d ' ' -f 1)
sed "s|    file: demand.csv|    file: demand/demand.csv\n    reader: csv\n    sha256: $digest\n\
    addresses: [{url: 'https://localhost/demand.csv'}]|" \
  examples/study.yaml > "$place/own/study.yaml"
printf 'data:\n  offline: true\n' >> "$place/own/study.yaml"
cat > "$place/own/Snakefile" << 'SNAKEFILE'
from streameval.base.settings import ROOT


include: str(ROOT / "workflow" / "Snakefile")


workflow.default_target = "all"
SNAKEFILE
cp -r "$place/own" "$place/alone"
export STREAMEVAL_DATA=$place/mirror PYTHONPATH=$place/installed:$place/plugins
own=(figures/example/fig1 figures/example/fig2 results/tables/example/table1.csv)
pages=results/summary/example
IMAGE=$place/image run "$place/own" --configfile study.yaml -- "${own[@]}" "$pages/index.html"
(
  cd "$place/alone"
  NUMBA_CACHE_DIR=$place/kernels "$project/.venv/bin/snakemake" --cores 2 --scheduler greedy --configfile study.yaml \
    -- "${own[@]}" "$pages/index.html" \
    > "$place/alone.log" 2>&1
) || {
  tail -n 60 "$place/alone.log"
  exit 1
}
stored=$place/own/.snakemake/storage/s3/own
for target in "${own[@]}"; do # drawn and written beside Snakemake, which keeps them here, too
  diff --recursive --exclude .digests {"$place/alone","$stored"}/"$target"
done
# The pages are those of a local run, but for how long jobs took.
untimed() { sed --regexp-extended 's/; [0-9]+ jobs?, [0-9.]+ s//; s/<p class="cost">[^<]*<\/p>//' "$1"; }
diff <(untimed "$place/alone/$pages/example.html") <(untimed "$stored/$pages/example.html")
grep --quiet 'href="example.html"' "$stored/$pages/index.html"
echo "The results are those of a local run."
