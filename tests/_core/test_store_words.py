"""What is said of object stores: each has its own remedy, and no secret of an address is told."""

from __future__ import annotations

import pytest

from thresher._core.stores import hint_of_store, patient, without_secrets


@pytest.mark.parametrize(
    ("scheme", "said", "advice"),
    [
        ("s3", "AWS Error ACCESS_DENIED during GetObject operation", "AWS_ACCESS_KEY_ID"),
        ("s3", "AWS Error UNKNOWN (HTTP status 301) during HeadObject operation", "?region=eu-west-1"),
        ("S3", "When resolving region for bucket 'b': AWS Error NETWORK_CONNECTION", "AWS_ENDPOINT_URL"),
        ("s3", "Parquet magic bytes not found in footer", "check the address"),
        ("s3", "403/broken.parquet: no Parquet", "check the address"),  # a number in a path is no status
        ("gs", "google::cloud::Status(PERMISSION_DENIED: Permanent error)", "GOOGLE_APPLICATION_CREDENTIALS"),
        ("gs", "Status(UNAVAILABLE: PerformWork() - CURL error [7]=Could not connect)", "`gs://bucket/...?endpoint_"),
        ("gcs", "no such region", "check the address"),
        ("az", "Server failed to authenticate the request. (HttpResponseError)", "AZURE_STORAGE_CONNECTION_STRING"),
        ("abfss", "Cannot connect to host 127.0.0.1:10001 (ServiceRequestError)", "BlobEndpoint"),
        ("https", "Cannot connect to host (ClientConnectorError)", "check the address"),
    ],
)
def test_hints(scheme, said, advice):
    assert advice in hint_of_store(f"{scheme}://bucket/a", OSError(said))


def test_googles_client_does_not_try_for_ever():
    assert patient("gs://b/a") == "gs://b/a?retry_limit_seconds=30"
    assert patient("gs://b/a?retry_limit_seconds=5") == "gs://b/a?retry_limit_seconds=5"
    assert patient("abfs://b/a") == "abfs://b/a"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("s3://key:hidden@bucket/a", "s3://key:***@bucket/a"),
        ("s3://bucket/a?region=eu-west-1", "s3://bucket/a?region=eu-west-1"),
        ("https://host/a?X-Amz-Signature=abc&X-Amz-Date=2026", "https://host/a?X-Amz-Signature=***&X-Amz-Date=2026"),
        ("abfs://c@a/x?account_key=k%2Fy%3D&enable_tls=false", "abfs://c@a/x?account_key=***&enable_tls=false"),
        ("https://host/a?sv=2026&sig=q", "https://host/a?sv=2026&sig=***"),
        ("gs://bucket/a?access_token=t0ken#end", "gs://bucket/a?access_token=***#end"),
    ],
)
def test_secrets(address, shown):
    assert without_secrets(address, [address]) == shown
    assert (
        without_secrets(f"the server at {address} said no", ["s3://other", address]) == f"the server at {shown} said no"
    )
