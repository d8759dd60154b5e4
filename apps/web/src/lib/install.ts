import { createStore, type Store } from './store.ts'

/** What the browser hands over when the page may become an app of its own. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>
}

/** Asks the browser to install the page as an app; undefined while it cannot be, or already is. */
export type InstallOffer = (() => void) | undefined

/** Keeps the browser's own offer for the moment somebody chooses it from the menu. */
export function followInstallOffer(): Store<InstallOffer> {
  const offer = createStore<InstallOffer>(undefined)
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    offer.set(() => {
      // A prompt works once; the browser makes another one when this was turned down.
      offer.set(undefined)
      void (event as InstallPrompt).prompt()
    })
  })
  window.addEventListener('appinstalled', () => offer.set(undefined))
  return offer
}
