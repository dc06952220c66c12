// The client of oapi-codegen, generated in the folder api.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"

	"petstore.example/clients/api"
)

func main() {
	url, key := os.Args[1], os.Args[2]
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	client := try(api.NewClientWithResponses(url, api.WithRequestEditorFn(authorize)))
	ctx := context.Background()
	status := api.Available
	add := func(pet api.NewPet) *api.CreatePetResponse {
		return try(client.CreatePetWithResponse(ctx, &api.CreatePetParams{}, pet))
	}
	created := add(api.NewPet{Name: "Biscuit", CategoryId: 7, Status: &status})
	listed := try(client.ListPetsWithResponse(ctx, &api.ListPetsParams{Status: &status}))
	failed := add(api.NewPet{Name: "", CategoryId: 7}).JSON400
	try(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"created": created.JSON201,
		"listed":  listed.JSON200,
		"failure": []any{failed.Status, failed.Code, (*failed.Errors)[0].Pointer},
	}))
}

func try[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
