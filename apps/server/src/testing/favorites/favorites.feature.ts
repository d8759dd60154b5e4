import { endpoint, operation } from '../../kernel/endpoint.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import { favorite, favoriteRoutes } from './favorites.contract.ts'
import { addFavorite, requestTrim, trimFavorites, type FavoritesDeps } from './favorites.service.ts'
import { FAVORITE_SETTINGS } from './favorites.settings.ts'
import { favoritesStore } from './favorites.store.ts'

export function favoritesFeature(deps: FavoritesDeps): Feature {
  return defineFeature({
    name: 'favorites',
    settings: FAVORITE_SETTINGS,
    endpoints: [
      endpoint(favoriteRoutes.list, async ({ principal }) => ({
        paths: (await favoritesStore.ofUser(deps.db, principal.id)).map(({ path }) => path),
      })),
    ],
    operations: [operation(favorite, async (ctx, { path }) => ({ count: await addFavorite(deps, ctx, path) }))],
    on: {
      'favorite.added': { subscriber: 'favorites.trim', handle: ({ userId }) => requestTrim(deps, userId) },
    },
    jobs: {
      'favorites.trim': async ({ ownerId }) => ({ removed: await trimFavorites(deps, ownerId) }),
    },
  })
}
