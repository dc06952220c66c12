"""The client of openapi-python-client, and the pydantic models of datamodel-codegen, both generated in the folder of the first argument."""

import json
import sys

folder, url, key = sys.argv[1:]
sys.path.insert(0, folder)

import httpx
import models
from client import AuthenticatedClient
from client.api.animals import create_pet, list_pets
from client.models import Error, NewPet, PetStatus

client = AuthenticatedClient(base_url=url, token=key)
created = create_pet.sync(client=client, body=NewPet(name="Biscuit", category_id=7, status=PetStatus.AVAILABLE))
listed = list_pets.sync(client=client, status=PetStatus.AVAILABLE)
failed = create_pet.sync(client=client, body=NewPet(name="", category_id=7))
assert isinstance(failed, Error) and not isinstance(created, Error) and not isinstance(listed, Error)

with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}) as plain:
    pet = models.NewPet(name="Olive", categoryId=2)
    body = pet.model_dump(mode="json", exclude_none=True)
    olive = models.Pet.model_validate_json(plain.post("/pets", json=body).content)
    assert olive.name == "Olive"
    assert models.Pets.model_validate_json(plain.get("/pets").content).root[-1] == olive
    refused = models.Error.model_validate_json(plain.get("/pets", params={"limit": 0}).content)
    assert refused.errors[0].pointer == "/query/limit"

print(
    json.dumps(
        {
            "created": created.to_dict(),
            "listed": [each.to_dict() for each in listed],
            "failure": [failed.status, failed.code, failed.errors[0].pointer],
        }
    )
)
