import { routes } from '@godwit/contract/table'
import type { SavedView } from '@godwit/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useServices } from '../../lib/services.tsx'
import { useTexts } from '../../lib/texts.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { Form } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './console-kit.module.css'

/** As the contract bounds it. */
const NAME_MAX = 64

export interface ViewsDialogProps {
  /** Name of the list. */
  readonly list: string
  /** What is shown now, as the address has it. */
  readonly search: Readonly<Record<string, string>>
  readonly onClose: () => void
}

/** Views of a list that the person saved: shows one, saves what is shown now, removes one. */
export function ViewsDialog({ list, search, onClose }: ViewsDialogProps) {
  const texts = useTexts()
  const { views, failure, save, remove } = useViews(list)
  const [name, setName] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = async (): Promise<void> => {
    if (isBusy || name.trim() === '') return
    setBusy(true)
    if (await save(name.trim(), search)) setName('')
    setBusy(false)
  }
  return (
    <Dialog title={texts('console.views')} closeLabel={texts('common.close')} onClose={onClose}>
      <FailureNotice failure={failure === null ? undefined : failure} />
      {views !== undefined && views.length === 0 && <p className={styles['none']}>{texts('console.views.empty')}</p>}
      <ul className={styles['views']}>
        {views?.map((view) => (
          <li key={view.id}>
            <Link to="." search={view.search} onClick={onClose} translate="no">
              {view.name}
            </Link>
            <IconButton
              label={texts('console.views.remove', { name: view.name })}
              icon={<Trash2 size={18} aria-hidden="true" />}
              onClick={() => void remove(view.id)}
            />
          </li>
        ))}
      </ul>
      <Form onSubmit={() => void submit()}>
        <TextField
          label={texts('console.views.name')}
          hint={texts('console.views.hint')}
          value={name}
          maxLength={NAME_MAX}
          autoComplete="off"
          onChange={({ target }) => setName(target.value)}
        />
        <Button kind="solid" disabled={isBusy || name.trim() === ''} onClick={() => void submit()}>
          {texts('console.views.save')}
        </Button>
      </Form>
    </Dialog>
  )
}

function useViews(list: string) {
  const { api } = useServices()
  const client = useQueryClient()
  const queryKey = ['console', 'views', list]
  const { data, error } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await api.call(routes.adminViews.list, { query: { list } }, { signal })).views,
  })
  const [refused, setRefused] = useState<unknown>(null)
  /** @returns whether it worked */
  const change = async (call: Promise<unknown>): Promise<boolean> => {
    try {
      await call
      setRefused(null)
      return true
    } catch (thrown) {
      setRefused(thrown)
      return false
    } finally {
      await client.invalidateQueries({ queryKey })
    }
  }
  return {
    views: data as readonly SavedView[] | undefined,
    failure: refused ?? error,
    save: (name: string, search: Readonly<Record<string, string>>) =>
      change(api.call(routes.adminViews.save, { body: { list, name, search: { ...search } } })),
    remove: (viewId: string) => change(api.call(routes.adminViews.remove, { body: { viewId } })),
  }
}
