import { {{variable}}Queries } from '{{package}}/react-query';
import { {{hooks}} } from '@tanstack/react-query';

const queries = {{variable}}Queries({{variable}});

{{?singleName}}export const {{singleHook}} = () => useQuery(queries.{{singleName}}({{singleArguments}}));
{{?listName}}export const {{listHook}} = () => useInfiniteQuery(queries.{{listName}}.infinite({{listArguments}}));
{{?changeName}}export function {{changeHook}}() {
{{?refreshed}}  const cache = useQueryClient();
{{?refreshed}}  const refresh = () => cache.invalidateQueries({ queryKey: queries.{{readName}}.key });
{{?refreshed}}  return useMutation({ ...queries.{{changeName}}(), onSuccess: refresh });
{{?changeOnly}}  return useMutation(queries.{{changeName}}());
{{?changeName}}}
