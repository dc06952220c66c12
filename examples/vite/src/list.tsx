import { useInfiniteQuery } from '@tanstack/react-query';
import { queries } from './petstore.ts';

/** The available animals, a page at a time. */
export function PetList() {
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery(queries.listPets.infinite());
  if (error) return <p role="alert">{error.message}</p>;
  return (
    <>
      <ul>
        {data?.pages
          .flatMap(({ items }) => items)
          .map((pet) => (
            <li key={pet.id}>{pet.name}</li>
          ))}
      </ul>
      {hasNextPage && (
        <button type="button" id="more" onClick={() => void fetchNextPage()}>
          More
        </button>
      )}
    </>
  );
}
