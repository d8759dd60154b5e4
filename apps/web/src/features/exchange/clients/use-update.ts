import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { updateClient } from './client-query.ts'

/** Asks the client to update itself and reports the outcome. */
export function useUpdate() {
  const texts = useTexts()
  const { api, messages } = useServices()
  return async (): Promise<void> => {
    try {
      await updateClient(api)
      messages.notify('success', texts('client.updating'))
    } catch (error) {
      messages.fail(error, texts)
    }
  }
}
