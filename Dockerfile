# The environment of `make reproduce` as an image, with the package installed:
#
#   docker build --tag streameval .
#   docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/work" streameval snakemake --cores 2
#
# in a clone, or in any folder: ... streameval streameval evaluate my.csv --target label ...
FROM python:3.11-slim-bookworm

# A name and a home for any user of `--user`: Snakemake, matplotlib and the cache of compiled kernels
# want them. In a clone, kernels are kept in the clone.
ENV HOME=/home/streameval USER=streameval
RUN useradd --no-create-home --home-dir "$HOME" streameval && mkdir --mode 1777 "$HOME"

COPY requirements.txt /opt/streameval/
RUN pip install --no-cache-dir --disable-pip-version-check -r /opt/streameval/requirements.txt

COPY . /opt/streameval/
RUN pip install --no-cache-dir --disable-pip-version-check --no-deps /opt/streameval

USER streameval
WORKDIR /work
CMD ["snakemake", "--cores", "2"]
