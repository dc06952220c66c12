"""What the contract's schemas cannot say about the requests that they allow."""

import secrets

import schemathesis
from schemathesis import GenerationMode


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """Each request comes from a client of its own: requests without a key are counted for the address, and are few."""

    def forward(request):
        request.headers["X-Forwarded-For"] = "10." + ".".join(str(byte) for byte in secrets.token_bytes(3))
        return request

    # Not as a header of the case: one that was edited is no longer known for a case with a header missing.
    kwargs["auth"] = forward


@schemathesis.check
def refused_for_a_reason(ctx, response, case):
    """A valid request is refused for an unknown cursor (400) or a reused idempotency key (422), and for nothing else."""
    if case.meta is None or case.meta.generation.mode is not GenerationMode.POSITIVE:
        return
    if response.status_code == 400:
        assert "cursor" in case.query and "cursor" in response.json()["message"], response.text
    if response.status_code == 422:
        assert "Idempotency-Key" in case.headers, response.text
