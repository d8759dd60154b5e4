#!/bin/sh
# Stands in for LibreOffice in tests: the same arguments, and a document whose first word says what becomes of it.
while [ $# -gt 1 ]; do
  [ "$1" != --outdir ] || out=$2
  shift
done
result="$out/$(basename "${1%.*}").pdf"
pdf() {
  printf '%%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n'
  printf '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>endobj\ntrailer<</Root 1 0 R>>\n%% %s\n' "$1"
}
order=$(tr -d '\000' <"$1" | grep -aom1 'order:[a-z-]*' | cut -d: -f2)
case "$order" in
  nothing) echo 'Error: source file could not be loaded' ;;
  text) echo 'not a document' >"$result" ;;
  link) ln -s /etc/hostname "$result" ;;
  fail) exit 1 ;;
  endless) while :; do :; done ;;
  children)
    sleep 600.5 &
    setsid sleep 600.5 &
    pdf children >"$result"
    ;;
  disk) head -c 200000000 /dev/zero >"$result" ;;
  look)
    seen=$(cat "$(tr -d '\000' <"$1" | grep -aom1 'path:[^ ]*' | cut -d: -f2)" 2>/dev/null)
    interfaces=$(tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' \n')
    pdf "seen=$seen interfaces=$interfaces environment=$(env | cut -d= -f1 | sort | tr '\n' ,) profile=$(grep -c DisableMacrosExecution .config/libreoffice/4/user/registrymodifications.xcu)" >"$result"
    ;;
  *) pdf "$1" >"$result" ;;
esac
