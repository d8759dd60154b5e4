import { routes } from '@godwit/contract/table'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { moveKey, storageName, type SpaceMoveState } from './space-move-state.ts'
import styles from './spaces.module.css'

export interface BeginMoveProps {
  readonly spaceId: number
  readonly name: string
  readonly state: SpaceMoveState
}

/** Chooses the other storage; what will happen is said before it begins. */
export function BeginMoveCard({ spaceId, name, state }: BeginMoveProps) {
  const texts = useTexts()
  const others = state.storages.filter((storage) =>
    state.storages.some(({ id, places }) => places > 0 && id !== storage.id),
  )
  const [chosen, setChosen] = useState('')
  const [isAsking, setIsAsking] = useState(false)
  const { begin, failure } = useBegin(spaceId)
  const storageId = Number(chosen === '' ? (others[0]?.id ?? 0) : chosen)
  return (
    <SectionCard title={texts('console-spaces.move.begin')} lead={texts('console-spaces.move.begin.lead')}>
      {others.length === 0 ? (
        <None state={state} />
      ) : (
        <div className={styles['steps']}>
          <FailureNotice failure={failure} />
          <SelectField
            label={texts('console-spaces.move.to')}
            value={String(storageId)}
            choices={others.map((storage) => ({ value: String(storage.id), label: storage.name }))}
            onChange={({ target }) => setChosen(target.value)}
            translate="no"
          />
          <div className={styles['buttons']}>
            <Button kind="solid" onClick={() => setIsAsking(true)}>
              {texts('console-spaces.move.copy')}
            </Button>
          </div>
        </div>
      )}
      {isAsking && (
        <Confirm
          title={texts('console-spaces.move.begin.title', { name, storage: storageName(state, storageId) })}
          text={texts('console-spaces.move.begin.text')}
          onClose={() => setIsAsking(false)}
          foot={
            <>
              <Button onClick={() => setIsAsking(false)}>{texts('common.cancel')}</Button>
              <Button
                kind="solid"
                onClick={() => {
                  setIsAsking(false)
                  begin(storageId)
                }}
              >
                {texts('console-spaces.move.copy')}
              </Button>
            </>
          }
        />
      )}
    </SectionCard>
  )
}

/** Why nothing can be copied, and what to do about it. */
function None({ state }: Pick<BeginMoveProps, 'state'>) {
  const texts = useTexts()
  if (state.storages.length > 1) return <p>{texts('console-spaces.move.nothing')}</p>
  return (
    <>
      <p>{texts('console-spaces.move.none')}</p>
      <p>
        <Link to="/admin/storages/new">{texts('console-spaces.move.add')}</Link>
      </p>
    </>
  )
}

/** Begins to copy, or goes on with it. */
export function useBegin(spaceId: number) {
  const { api } = useServices()
  const refresh = useRefresh(moveKey(spaceId)[0])
  const [failure, setFailure] = useState<unknown>()
  const begin = (storageId: number): void => {
    setFailure(undefined)
    const call = { params: { spaceId }, body: { storageId } }
    api.call(routes.adminSpaceMoves.begin, call).then(() => refresh(), setFailure)
  }
  return { begin, failure }
}
