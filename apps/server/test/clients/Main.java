// The client of openapi-generator's java, library native.
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.AnimalsApi;
import org.openapitools.client.model.Error;
import org.openapitools.client.model.NewPet;
import org.openapitools.client.model.PetStatus;

public class Main {
  public static void main(String[] args) throws Exception {
    var client = new ApiClient();
    client.updateBaseUri(args[0]);
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + args[1]));
    var animals = new AnimalsApi(client);
    var json = client.getObjectMapper();
    var created = animals.createPet(new NewPet().name("Biscuit").categoryId(7L).status(PetStatus.AVAILABLE), null);
    var listed = animals.listPets(null, PetStatus.AVAILABLE, null);
    try {
      animals.createPet(new NewPet().name("").categoryId(7L), null);
    } catch (ApiException exception) {
      var error = json.readValue(exception.getResponseBody(), Error.class);
      var failure = List.of(error.getStatus(), error.getCode(), error.getErrors().get(0).getPointer());
      System.out.println(json.writeValueAsString(Map.of("created", created, "listed", listed, "failure", failure)));
    }
  }
}
