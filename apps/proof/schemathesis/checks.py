"""What the contract's schemas cannot say about the requests that they allow."""

import schemathesis
from schemathesis import GenerationMode


@schemathesis.check
def refused_for_a_reason(ctx, response, case):
    """A valid request is refused for an unknown cursor (400) or a reused idempotency key (422), and for nothing else."""
    if case.meta is None or case.meta.generation.mode is not GenerationMode.POSITIVE:
        return
    if response.status_code == 400:
        assert "cursor" in case.query and "cursor" in response.json()["message"], response.text
    if response.status_code == 422:
        assert "Idempotency-Key" in case.headers, response.text
