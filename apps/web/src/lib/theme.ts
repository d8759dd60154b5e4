import { createStore, type Store } from './store.ts'
import { onStoredElsewhere, readStored, writeStored } from './storage.ts'

export type Theme = 'light' | 'dark' | 'system'
export const THEMES: readonly Theme[] = ['system', 'light', 'dark']

const KEY = 'godwit.theme'

/** The chosen theme. public/assets/theme.js applies it before the first paint. */
export function createThemeStore(): Store<Theme> {
  const known = (text: string | undefined): Theme => (text === 'light' || text === 'dark' ? text : 'system')
  const store = createStore<Theme>(known(readStored(KEY)))
  const apply = (): void => {
    const theme = store.get()
    if (theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
    writeStored(KEY, theme === 'system' ? undefined : theme)
  }
  store.subscribe(apply)
  onStoredElsewhere(KEY, (text) => store.set(known(text)))
  return store
}
