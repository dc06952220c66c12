import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { PetForm } from './form.tsx';
import { PetList } from './list.tsx';

createRoot(document.getElementById('root') as HTMLElement).render(
  <QueryClientProvider client={new QueryClient()}>
    <PetForm />
    <PetList />
  </QueryClientProvider>,
);
