import { useEffect, useState } from 'react'
import { useServices } from '../../lib/services.tsx'
import { useTexts } from '../../lib/texts.tsx'
import { useIsShown } from '../../lib/use-is-shown.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormDialog } from '../../ui/form/index.ts'
import { Notice } from '../../ui/notice.tsx'
import type { BulkAction, BulkResult, Chosen } from './bulk.ts'
import styles from './console-kit.module.css'
import { csvOf, saveText } from './csv.ts'

export interface BulkDialogProps {
  readonly action: BulkAction
  /** Asked once the question is answered. */
  readonly choose: () => Chosen | Promise<Chosen>
  readonly count: number
  /** Something was changed. */
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Asks with the count and the consequence, works, and names whoever was left as they were. */
export function BulkDialog({ action, choose, count, onDone, onClose }: BulkDialogProps) {
  const texts = useTexts()
  const { messages } = useServices()
  const isShown = useIsShown()
  const [result, setResult] = useState<BulkResult>()
  const summary = useSummary({ action, choose })
  if (result !== undefined) return <Report action={action} result={result} onClose={onClose} />
  return (
    <FormDialog<string>
      title={action.title(count)}
      text={[action.text(count), ...summary].join(' ')}
      submitLabel={action.verb}
      isDangerous={action.tone === 'danger'}
      schema={action.ask?.schema ?? {}}
      initial={action.ask?.initial ?? {}}
      isFollowed
      onClose={onClose}
      onSend={async (values) => {
        const answer = await action.run(await choose(), values)
        onDone()
        const count = answer.failed.length
        if (count > 0 && isShown()) return setResult(answer)
        if (count > 0) messages.notify('error', texts('console.bulk.failed', { count }))
        if (answer.changed > 0 || count === 0) messages.notify('success', action.done(answer.changed))
        if (isShown()) onClose()
      }}
    />
  )
}

/** What the dry run of an action found; nothing without one, and while it is on its way. */
function useSummary({ action, choose }: Pick<BulkDialogProps, 'action' | 'choose'>): readonly string[] {
  const texts = useTexts()
  const { messages } = useServices()
  const [summary, setSummary] = useState<readonly string[]>([])
  const [ask] = useState(() => async () => (action.summary === undefined ? '' : action.summary(await choose())))
  useEffect(() => {
    let isShown = true
    ask().then(
      (text) => isShown && text !== '' && setSummary([text]),
      (error: unknown) => isShown && messages.fail(error, texts),
    )
    return () => {
      isShown = false
    }
  }, [ask, messages, texts])
  return summary
}

interface ReportProps {
  readonly action: BulkAction
  readonly result: BulkResult
  readonly onClose: () => void
}

function Report({ action, result: { changed, failed }, onClose }: ReportProps) {
  const texts = useTexts()
  return (
    <Dialog
      title={texts('console.bulk.partly')}
      closeLabel={texts('common.close')}
      onClose={onClose}
      isKeptOpen
      foot={
        <>
          <Button
            onClick={() => {
              const head = [texts('console.bulk.name'), texts('console.bulk.reason')]
              saveText(`${action.name}.csv`, csvOf([head, ...failed.map(({ name, reason }) => [name, reason])]))
            }}
          >
            {texts('console.bulk.save')}
          </Button>
          <Button kind="solid" onClick={onClose}>
            {texts('common.close')}
          </Button>
        </>
      }
    >
      <div className={styles['report']}>
        {changed > 0 && <Notice kind="success">{action.done(changed)}</Notice>}
        <Notice kind="error">{texts('console.bulk.failed', { count: failed.length })}</Notice>
        <dl className={styles['failures']}>
          {failed.map(({ name, reason }) => (
            <div key={name}>
              <dt translate="no">{name}</dt>
              <dd>{reason}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Dialog>
  )
}
