"""What is said of object stores: how each is opened, what to do when it refuses, and no secret of its address."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

__all__ = ["hint_of_store", "patient", "without_secrets"]

_PASSWORD = re.compile(r"://[^/@:]*:([^/@]+)@")
_SECRET_OPTION = re.compile(r"[?&][^=&]*(?:key|secret|token|password|signature|sig)[^=&]*=([^&#]+)", re.IGNORECASE)
_GOOGLE_PATIENCE = 30  # seconds; Google's client tries for a quarter of an hour by itself

_STATUS = r"(?:HTTP|status|code)\D{0,20}"  # a bare number may be part of a path
_REFUSED = re.compile(
    rf"ACCESS_DENIED|INVALID_ACCESS_KEY|SIGNATURE|forbidden|{_STATUS}40[13]\b|credential|authenticat|Authorization"
    r"|UNAUTHENTICATED|PERMISSION_DENIED",
    re.IGNORECASE,
)
_SILENT = re.compile(r"NETWORK_CONNECTION|curl ?(?:Code|error)|resolve host|refused|cannot connect", re.IGNORECASE)
_ELSEWHERE = re.compile(rf"region|PermanentRedirect|{_STATUS}301\b", re.IGNORECASE)
_OTHERWISE = "check the address; or give a `pyarrow.dataset.dataset(..., filesystem=...)`."


class _Store(NamedTuple):
    refused: str
    silent: str
    elsewhere: str = _OTHERWISE


_AMAZON = _Store(
    refused="credentials come from where the cloud's own tools find them: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, "
    "AWS_PROFILE or the machine's role for s3://; a bucket open to all needs `s3://anonymous@bucket/...`.",
    silent="name a server that can be reached, in AWS_ENDPOINT_URL or as "
    "`s3://bucket/...?endpoint_override=host:9000&scheme=http`, and the region, in AWS_DEFAULT_REGION.",
    elsewhere="name the bucket's region, in AWS_DEFAULT_REGION or as `s3://bucket/...?region=eu-west-1`.",
)
_GOOGLE = _Store(
    refused="credentials come from where the cloud's own tools find them: the file that GOOGLE_APPLICATION_CREDENTIALS "
    "names, `gcloud auth application-default login` or the machine's account for gs://; a bucket open to all needs "
    "`gs://anonymous@bucket/...`.",
    silent="name a server that can be reached: `gs://bucket/...?endpoint_override=host:4443&scheme=http`; a bucket "
    "open to all is `gs://anonymous@bucket/...`, for which nobody is asked who you are.",
)
_AZURE = _Store(
    refused="name the account, `abfss://container@account.dfs.core.windows.net/...`, with the credentials that Azure's "
    "own tools find; or install adlfs, set AZURE_STORAGE_CONNECTION_STRING and write `az://container/...`.",
    silent="name a server that can be reached: the account in `abfss://container@account.dfs.core.windows.net/...`, or "
    "with adlfs BlobEndpoint in AZURE_STORAGE_CONNECTION_STRING.",
)
_STORES = {"s3": _AMAZON, "gs": _GOOGLE, "gcs": _GOOGLE, "abfs": _AZURE, "abfss": _AZURE, "az": _AZURE}


def hint_of_store(address: str, error: object) -> str:
    """Return what to do about what the store of an address said."""
    store = _STORES.get(address.partition("://")[0].lower())
    if store is not None:
        for told, hint in zip((_REFUSED, _SILENT, _ELSEWHERE), store, strict=True):
            if told.search(str(error)):
                return hint
    return _OTHERWISE


def patient(address: str) -> str:
    """Return the address with a limit to how long Google's client tries again, where it names none."""
    if address.partition("://")[0].lower() not in ("gs", "gcs") or "retry_limit_seconds=" in address:
        return address
    return f"{address}{'&' if '?' in address else '?'}retry_limit_seconds={_GOOGLE_PATIENCE}"


def without_secrets(text: str, addresses: Iterable[str]) -> str:
    """Return the text without what no message may show of these addresses: passwords, keys and tokens."""
    for address in addresses:
        for kind in (_PASSWORD, _SECRET_OPTION):
            for secret in kind.findall(address):
                text = text.replace(secret, "***")
    return text
