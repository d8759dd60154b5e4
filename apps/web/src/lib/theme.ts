import { createStore, type Store } from './store.ts'
import { readStored, writeStored } from './storage.ts'

export type Theme = 'light' | 'dark' | 'system'
export const THEMES: readonly Theme[] = ['system', 'light', 'dark']

const KEY = 'godwit.theme'

/** The chosen theme. public/assets/theme.js applies it before the first paint. */
export function createThemeStore(): Store<Theme> {
  const chosen = readStored(KEY)
  const store = createStore<Theme>(chosen === 'light' || chosen === 'dark' ? chosen : 'system')
  const apply = (): void => {
    const theme = store.get()
    if (theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
    writeStored(KEY, theme === 'system' ? undefined : theme)
  }
  store.subscribe(apply)
  return store
}
