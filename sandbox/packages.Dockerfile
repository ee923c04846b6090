# The sandbox with further packages. They are installed with the network, and used without.
ARG BASE
FROM ${BASE}
ARG PIP_INDEX_URL
USER root
COPY packages.txt extra-ca.cr[t] /opt/assay/build/

# What is there keeps its version. The lines with a mark tell the app what was really installed.
RUN set -eu; \
    cat /etc/ssl/certs/ca-certificates.crt /opt/assay/build/extra-ca.crt \
        > /opt/assay/build/trusted.crt 2>/dev/null || true; \
    pip freeze --disable-pip-version-check > /opt/assay/build/before.txt; \
    PIP_CERT=/opt/assay/build/trusted.crt pip install --quiet --no-input --disable-pip-version-check \
        --no-cache-dir --retries 5 --timeout 60 --only-binary :all: \
        --constraint /opt/assay/build/before.txt --requirement /opt/assay/build/packages.txt; \
    pip freeze --disable-pip-version-check > /opt/assay/packages.lock; \
    grep -vxFf /opt/assay/build/before.txt /opt/assay/packages.lock | sed 's/^/assay-lock: /' || true; \
    chmod -R a+rX,go-w /opt/assay/venv /opt/assay/packages.lock; \
    rm -rf /opt/assay/build
USER analyst
