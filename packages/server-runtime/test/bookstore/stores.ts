import { todo } from './api.ts';

export const stores = {
  listStores: todo('listStores'),
  createStore: todo('createStore'),
  getStore: todo('getStore'),
  updateStore: todo('updateStore'),
  deleteStore: todo('deleteStore'),
  replaceStoreName: todo('replaceStoreName'),
  getStock: todo('getStock'),
};
