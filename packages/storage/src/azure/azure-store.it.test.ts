import { azureAccess } from '@godwit/testkit/engines'
import { objectStoreSuite } from '../testing/object-store-suite.ts'
import { temporaryContainer } from '../testing/temporary-container.ts'

objectStoreSuite({
  name: 'azure (Azurite)',
  async open() {
    const store = await temporaryContainer(await azureAccess())
    return { store, close: async () => store[Symbol.asyncDispose]() }
  },
})
