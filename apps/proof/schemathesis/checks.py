"""Checks of what the contract's schemas cannot express."""

import os
import secrets

import requests
import schemathesis
from schemathesis import GenerationMode


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """Gives each request its own client address, so that requests without a key stay within the rate limit."""

    def forward(request):
        request.headers["X-Forwarded-For"] = "10." + ".".join(str(byte) for byte in secrets.token_bytes(3))
        return request

    # Set by `auth`, not as a header of the case: editing the headers would hide that a case omits one.
    kwargs["auth"] = forward


@schemathesis.check
def refused_for_a_reason(ctx, response, case):
    """Fails when a valid request is refused for anything but an unknown cursor or id, or an idempotency key used before."""
    if case.meta is None or case.meta.generation.mode is not GenerationMode.POSITIVE:
        return
    if response.status_code == 400:
        assert "cursor" in case.query and "cursor" in response.json()["message"], response.text
    if response.status_code == 404:
        assert case.path_parameters, response.text
    if response.status_code in (409, 422):
        assert "Idempotency-Key" in case.headers, response.text


@schemathesis.check
def exactly_declared(ctx, response, case):
    """Fails when a response has more than the contract declares, by the validation of the server's own tests."""
    received = {
        "method": response.request.method,
        "url": response.request.url,
        "status": response.status_code,
        "headers": [[name, value] for name, values in response.headers.items() for value in values],
        "body": response.content.decode(),
    }
    verdict = requests.post(os.environ["PROOF_ORACLE"], json=received)
    assert verdict.status_code == 204, verdict.text
