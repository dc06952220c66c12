"""The client of openapi-generator's python, generated in the folder of the first argument."""

import json
import sys

folder, url, key = sys.argv[1:]
sys.path.insert(0, folder)

from openapi_client import AnimalsApi, ApiClient, Configuration, NewPet, PetStatus
from openapi_client.exceptions import BadRequestException

animals = AnimalsApi(ApiClient(Configuration(host=url, access_token=key)))
created = animals.create_pet(NewPet(name="Biscuit", category_id=7, status=PetStatus.AVAILABLE))
listed = animals.list_pets(status=PetStatus.AVAILABLE)
try:
    # The model would refuse an empty name by itself.
    animals.create_pet(NewPet.model_construct(name="", category_id=7))
except BadRequestException as exception:
    error = exception.data
    failure = [error.status, error.code, error.errors[0].pointer]
    print(json.dumps({"created": created.to_dict(), "listed": [each.to_dict() for each in listed], "failure": failure}))
