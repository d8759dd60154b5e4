import { routes } from '@godwit/contract/table'
import type { AdminStorageDetail } from '@godwit/contract'
import type { StorageKind } from '@godwit/contract/foundation/storage-types'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { FormPage } from '../../console-kit/form-page.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { useAdministrator } from '../administration/index.ts'
import { failedStep, type ProbeOutcome, ProbeResult } from './probe-result.tsx'
import { storageSchema } from './storage-schema.ts'
import { STORAGES, useStorage } from './storages-source.ts'
import {
  NEW_STORAGE,
  newStorageOf,
  secretOf,
  settingsOf,
  storageChangeOf,
  type StorageValues,
  valuesOf,
} from './storage-values.ts'

const LIST = '/admin/storages'

/** Adds a storage, once it has proved to work. */
export function NewStoragePage() {
  return useTextBundle('places') ? <NewStorageForm /> : null
}

function NewStorageForm() {
  const texts = useTexts()
  const navigate = useNavigate()
  const { api, messages } = useServices()
  const refresh = useRefresh(STORAGES)
  const mayUseFolders = useAdministrator().standing === 'super'
  const added = useRef<AdminStorageDetail>(undefined)
  const test = useTest(undefined)
  return (
    <FormPage
      title={texts('storages.add')}
      help={texts('storages.add.help')}
      back={useBack()}
      schema={storageSchema({ texts, isNew: true, mayUseFolders, isDefault: false })}
      initial={NEW_STORAGE}
      submitLabel={texts('storages.add')}
      other={test.other}
      onSend={async (values) => {
        added.current = await test.watch(async () => {
          const { storage } = await api.call(routes.adminStorages.add, { body: newStorageOf(values) })
          return storage
        })
      }}
      onSaved={() => {
        void refresh()
        messages.notify('success', texts('storages.add.done', { name: added.current?.name ?? '' }))
        void navigate({ to: LIST, search: { open: String(added.current?.id ?? '') } })
      }}
      onCancel={() => void navigate({ to: LIST })}
    >
      {test.outcome !== undefined && <ProbeResult outcome={test.outcome} />}
    </FormPage>
  )
}

/** Changes a storage, once it has proved to work with the new settings. */
export function EditStoragePage() {
  const texts = useTexts()
  const hasTexts = useTextBundle('places')
  const { storageId }: { readonly storageId?: string } = useParams({ strict: false })
  const query = useStorage(storageId === undefined ? undefined : Number(storageId))
  const back = useBack()
  if (!hasTexts) return null
  return (
    <LoadedPage title={texts('storages.edit')} back={back} query={query}>
      {(storage) => <EditStorageForm key={storage.id} storage={storage} />}
    </LoadedPage>
  )
}

function EditStorageForm({ storage }: { readonly storage: AdminStorageDetail }) {
  const texts = useTexts()
  const navigate = useNavigate()
  const { api, messages } = useServices()
  const refresh = useRefresh(STORAGES)
  const mayUseFolders = useAdministrator().standing === 'super'
  const params = { storageId: storage.id }
  const revision = useRef(storage.revision)
  const initial = valuesOf(storage)
  const test = useTest(storage.id)
  return (
    <FormPage
      title={texts('storages.edit.of', { name: storage.name })}
      help={texts(`storages.kind.${storage.kind as StorageKind}`)}
      back={useBack()}
      schema={storageSchema({ texts, isNew: false, mayUseFolders, isDefault: initial.isDefault !== '' })}
      initial={initial}
      submitLabel={texts('common.save')}
      other={test.other}
      onSend={(values, base) =>
        test.watch(async () => {
          await api.call(routes.adminStorages.edit, { params, body: storageChangeOf(values, base, revision.current) })
        })
      }
      onConflict={async () => {
        const now = (await api.call(routes.adminStorages.get, { params })).storage
        revision.current = now.revision
        return valuesOf(now)
      }}
      onSaved={() => {
        void refresh()
        messages.notify('success', texts('storages.edit.done', { name: storage.name }))
        void navigate({ to: LIST, search: { open: String(storage.id) } })
      }}
      onCancel={() => void navigate({ to: LIST })}
    >
      {test.outcome !== undefined && <ProbeResult outcome={test.outcome} />}
    </FormPage>
  )
}

/** Tests what the form holds; a save that fails in its own test shows the step as well. */
function useTest(storageId: number | undefined) {
  const texts = useTexts()
  const { api } = useServices()
  const [outcome, setOutcome] = useState<ProbeOutcome>()
  const watch = async <Value,>(work: () => Promise<Value>): Promise<Value> => {
    setOutcome(undefined)
    try {
      return await work()
    } catch (error) {
      setOutcome({ failed: failedStep(error) })
      throw error
    }
  }
  const run = (values: StorageValues): Promise<void> =>
    watch(async () => {
      const body = { kind: values.kind as StorageKind, settings: settingsOf(values), ...secretOf(values) }
      const id = storageId === undefined ? {} : { storageId }
      setOutcome({ steps: (await api.call(routes.adminStorages.tryOut, { body: { ...id, ...body } })).steps })
    })
  return { outcome, watch, other: { label: texts('storages.test'), busyLabel: texts('storages.test.busy'), run } }
}

function useBack(): { readonly to: string; readonly label: string } {
  return { to: LIST, label: useTexts()('storages.title') }
}
