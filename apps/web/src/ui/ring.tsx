import styles from './ring.module.css'

/** Something goes on; says nothing by itself. */
export function Ring() {
  return <span className={styles['ring']} aria-hidden="true" />
}
