import { objectStoreSuite } from '../testing/object-store-suite.ts'
import { temporaryStore } from '../testing/temporary-store.ts'

objectStoreSuite({ name: 'local', open: temporaryStore })
