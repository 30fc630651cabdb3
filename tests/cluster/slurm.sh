#!/usr/bin/env bash
# The tiny run through SLURM, on a cluster of one node that is set up here and removed at the end,
# must give the tables of a local run. Root is needed only to install Debian's packages. Two papers
# ask for most rules; with CI_ALL=1, as in `.ci/run`, all studies are run.
#
#   tests/cluster/slurm.sh              the test
#   tests/cluster/slurm.sh COMMAND...   a cluster to try things on: run a command, such as bash, in it
set -euo pipefail
cd "$(dirname "$0")/../.."
project=$PWD
python=$project/.venv/bin/python
seconds=1200 # a run that takes longer hangs
studies=${CI_ALL:+all}
studies=${studies:-[bifet2013, bifet2015]}

skip() {
  echo "The test of SLURM is skipped: $*"
  exit 0
}
step() { printf '\n-- %s (after %d s)\n' "$*" "$SECONDS"; }

[ -x "$python" ] || skip "no environment in .venv; run make test first."
packages=(slurmctld slurmd slurm-client munge)
export PATH=$PATH:/usr/sbin
# All of them: `command` is content with one.
if ! { command -v slurmctld && command -v slurmd && command -v sbatch && command -v munged; } \
  > /dev/null; then
  command -v apt-get > /dev/null || skip "SLURM is not installed, and there is no apt-get."
  [ "$(id -u)" = 0 ] || skip "SLURM is not installed, and apt-get asks for root."
  export DEBIAN_FRONTEND=noninteractive
  { timeout 120 apt-get update \
    && timeout 300 apt-get install -y --no-install-recommends "${packages[@]}"; } \
    > /dev/null 2>&1 || skip "apt-get could not install ${packages[*]}."
fi

place=$(mktemp -d "${TMPDIR:-/tmp}/streameval-slurm.XXXXXX")
daemons=()
running= # the run of the pipeline
gone() { # gone COMMAND...: wait, but not for long, until the command fails
  for _ in $(seq 100); do
    "$@" > /dev/null 2>&1 || break
    sleep 0.2
  done
}
some_jobs() { squeue --me --noheader | grep --quiet .; }
tidy() {
  if [ -n "$running" ]; then # it cancels its jobs, as long as there is a cluster
    kill "$running" 2> /dev/null || true
    gone kill -0 "$running"
    kill -KILL -- "-$running" 2> /dev/null || true
  fi
  if [ ${#daemons[@]} -gt 0 ]; then # never on another cluster that this machine may belong to
    scancel --me 2> /dev/null || true
    gone some_jobs
    kill "${daemons[@]}" 2> /dev/null || true
    wait
  fi
  rm -rf "$place"
}
trap tidy EXIT

# Beside .venv, not in it: Snakemake would load the plug-in at every start, cluster or not.
"$python" -m pip install -qq --disable-pip-version-check --no-deps \
  --target "$place/plugin" -r <(grep -v '^-r' requirements-slurm.txt) \
  || skip "the plug-in of requirements-slurm.txt could not be installed."
export PYTHONPATH=$project/src:$place/plugin

step "A cluster of one node"
# All for the present user, in one folder, at free ports, for no other machine to see.
read -r port_of_controller port_of_node < <(
  "$python" - << 'PYTHON'
from socket import socket

with socket() as one, socket() as other:
    for each in (one, other):
        each.bind(("127.0.0.1", 0))
    print(one.getsockname()[1], other.getsockname()[1])
PYTHON
)
host=$(hostname -s)
user=$(id -un)
mkdir -p "$place"/{munge,state,spool,run}
chmod 755 "$place" "$place/munge" # what munge insists on, for its socket
head -c 1024 /dev/urandom > "$place/munge.key"
chmod 600 "$place/munge.key"
cat > "$place/slurm.conf" << CONF
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port_of_controller
SlurmdPort=$port_of_node
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$place/munge/socket
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool
SlurmctldPidFile=$place/run/slurmctld.pid
SlurmdPidFile=$place/run/slurmd.pid
SlurmctldLogFile=$place/slurmctld.log
SlurmdLogFile=$place/slurmd.log
# As on a small cluster: nobody keeps accounts, so that sacct says nothing.
AccountingStorageType=accounting_storage/none
# A job that takes more memory than it asked for is ended.
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
TaskProlog=$place/prolog
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
ReturnToService=2
# The node has what is said here, whatever the machine has: jobs may ask for more.
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 RealMemory=64000 State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
# Machines need not share the home folders: a job finds another one than this process.
mkdir "$place/home"
printf '#!/bin/sh\necho export HOME=%s\n' "$place/home" > "$place/prolog"
chmod +x "$place/prolog"
export SLURM_CONF=$place/slurm.conf
# The plug-in takes SLURM_CONF from the jobs, which would look below /etc.
mkdir "$place/bin"
printf '#!/bin/sh\nSLURM_CONF=%s exec %s "$@"\n' "$SLURM_CONF" "$(command -v srun)" > "$place/bin/srun"
chmod +x "$place/bin/srun"
export PATH=$place/bin:$PATH

munged --foreground --force --key-file "$place/munge.key" --socket "$place/munge/socket" \
  --pid-file "$place/munge/pid" --seed-file "$place/munge/seed" > "$place/munged.log" 2>&1 &
daemons+=($!)
slurmctld -D > /dev/null 2>&1 &
daemons+=($!)
slurmd -D > /dev/null 2>&1 &
daemons+=($!)
for _ in $(seq 60); do
  [[ "$(sinfo --noheader --format=%T 2> /dev/null)" == idle ]] && break
  sleep 0.5
done
[[ "$(sinfo --noheader --format=%T)" == idle ]] || {
  tail -n 20 "$place"/*.log
  echo "SLURM did not start."
  exit 1
}

if [ $# -gt 0 ]; then
  "$@"
  exit
fi

# -- The test ------------------------------------------------------------------------------------
# run NAME OPTION...: the tiny run, in a folder of its own. No job may hang for ever.
run() {
  local name=$1 begun=$SECONDS
  mkdir "$place/$name"
  shift
  timeout "$seconds" .venv/bin/snakemake --directory "$place/$name" --configfile config/test.yaml \
    --config "studies=$studies" "$@" > "$place/$name.log" 2>&1 &
  running=$!
  wait "$running" || {
    status=$?
    tail -n 60 "$place/$name.log" "$place"/slurm*.log
    [ "$status" != 124 ] || echo "The run did not end in $seconds s."
    exit 1
  }
  running=
  echo "$((SECONDS - begun)) s"
}

step "The tiny run through SLURM"
# The kernels are compiled anew, once, and kept where all machines find them.
unset NUMBA_CACHE_DIR
run slurm --workflow-profile profiles/slurm --slurm-init-seconds-before-status-checks 2
kernels=$place/slurm/.snakemake/kernels
mkdir -p "$kernels" # so that a folder without kernels is one
compiled() { find "$kernels" -name '*.nb?' | sort; }
compiled > "$place/compiled.txt"
[[ -s $place/compiled.txt && ! -e $place/home/.cache/streameval ]] || {
  echo "The compiled kernels are not in $kernels."
  exit 1
}

step "The tiny run on this machine alone, with the same kernels"
NUMBA_CACHE_DIR=$kernels run local --cores 2
diff "$place/compiled.txt" <(compiled) || {
  echo "These kernels were compiled again."
  exit 1
}

step "What they gave"
submitted=$(squeue --states=all --noheader --format='%k %T' \
  | sed -E 's/^rule_//; s/_wildcards_\S*//' | sort | uniq -c)
printf 'Submitted:\n%s\n' "$submitted"
grep --quiet "evaluate_learners COMPLETED" <<< "$submitted" || {
  echo "The learners did not run through SLURM."
  exit 1
}
if grep --invert-match "COMPLETED" <<< "$submitted"; then
  echo "These jobs failed, though another attempt may have succeeded."
  exit 1
fi
cmp "$place"/{local,slurm}/results/digests.json
echo "The digests are equal."
