// The client of ogen, generated in the folder api.
package main

import (
	"context"
	"encoding/json"
	"os"

	"petstore.example/clients/api"
)

type key string

func (k key) BearerAuth(context.Context, api.OperationName) (api.BearerAuth, error) {
	return api.BearerAuth{Token: string(k)}, nil
}

func main() {
	client := try(api.NewClient(os.Args[1], key(os.Args[2])))
	ctx := context.Background()
	status := api.NewOptPetStatus(api.PetStatusAvailable)
	add := func(pet api.NewPet) api.CreatePetRes {
		return try(client.CreatePet(ctx, &pet, api.CreatePetParams{}))
	}
	created := add(api.NewPet{Name: "Biscuit", CategoryId: 7, Status: status}).(*api.PetHeaders).Response
	listed := try(client.ListPets(ctx, api.ListPetsParams{Status: status})).(*api.PetsHeaders).Response
	// The client refuses an empty name by itself.
	failed := add(api.NewPet{Name: "\x00", CategoryId: 7}).(*api.BadRequestHeaders).Response
	try(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"created": &created,
		"listed":  listed,
		"failure": []any{failed.Status, failed.Code, failed.Errors[0].Pointer},
	}))
}

func try[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
