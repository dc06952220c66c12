// The client of openapi-generator's rust, generated in the folder client.
use petstore::apis::animals_api::{create_pet, list_pets, CreatePetError};
use petstore::apis::{configuration::Configuration, Error};
use petstore::models::{NewPet, PetStatus};
use serde_json::json;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let base_path = arguments.next().ok_or("no URL")?;
    let configuration = Configuration { base_path, bearer_access_token: arguments.next(), ..Default::default() };
    let mut pet = NewPet::new("Biscuit".into(), 7);
    pet.status = Some(PetStatus::Available);
    let created = create_pet(&configuration, pet, None).await?;
    let listed = list_pets(&configuration, None, Some(PetStatus::Available), None).await?;
    let refused = create_pet(&configuration, NewPet::new("".into(), 7), None).await;
    let Err(Error::ResponseError(response)) = refused else { return Err("no failure".into()) };
    let Some(CreatePetError::Status400(error)) = response.entity else { return Err("no body".into()) };
    let pointer = &error.errors.as_ref().ok_or("no errors")?[0].pointer;
    let failure = json!([error.status, error.code, pointer]);
    println!("{}", json!({ "created": created, "listed": listed, "failure": failure }));
    Ok(())
}
