import { useSignal } from '@preact/signals';

/** A text as it is; pressed, it is copied, or selected where pages get no clipboard: over plain HTTP from elsewhere. */
export function Copy({ text }: { readonly text: string }) {
  const isCopied = useSignal(false);
  const copy = async (button: HTMLButtonElement) => {
    isCopied.value = await writeClipboard(text);
    if (isCopied.value) setTimeout(() => (isCopied.value = false), 1_500);
    else getSelection()?.selectAllChildren(button);
  };
  const title = `${hasClipboard() ? 'Copy' : 'Select'} ${text}`;
  return (
    <button type="button" class="raw" title={title} onClick={(event) => copy(event.currentTarget)}>
      {isCopied.value ? 'Copied' : text}
    </button>
  );
}

/** Whether it is there now. */
async function writeClipboard(text: string): Promise<boolean> {
  if (!hasClipboard()) return false;
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

function hasClipboard(): boolean {
  return 'clipboard' in navigator;
}
