;;; Attaches by eglot as docs/editors.md says, waits for its diagnostics, and hovers. Ends Emacs with status 0 or 1.  -*- lexical-binding: t -*-
(require 'eglot)
(require 'flymake)

(define-derived-mode phobos-mode prog-mode "Phobos"
  (setq-local comment-start "// "))
(add-to-list 'auto-mode-alist '("\\.ph\\'" . phobos-mode))
(add-to-list 'eglot-server-programs
             `(phobos-mode . (,(getenv "PHOBOS") "lsp" :initializationOptions (:runCommands "server"))))

(defun fail (what &rest more)
  (message "emacs: %s" (apply #'format what more))
  (kill-emacs 1))

(defun wait-for (what done)
  (let ((end (time-add (current-time) 120)))
    (while (not (funcall done))
      (when (time-less-p end (current-time)) (fail "waited for %s" what))
      (accept-process-output nil 0.05))))

(defun found ()
  "What the server says of this buffer."
  (flymake-start)
  (flymake-diagnostics))

(setq eglot-autoshutdown nil eglot-confirm-server-initiated-edits nil eglot-sync-connect 60 eglot-send-changes-idle-time 0)
(find-file (getenv "PHOBOS_FILE"))
(unless (eq major-mode 'phobos-mode) (fail "the mode is %s" major-mode))
(apply #'eglot (eglot--guess-contact))
(unless (eglot-managed-p) (fail "the server is not attached"))

(wait-for "an error" (lambda () (= (length (found)) 1)))
(let ((text (flymake-diagnostic-text (car (found)))))
  (unless (string-match-p "barrier" text) (fail "the error is %s" text)))

(goto-char (point-min))
(search-forward "lane == 0")
(replace-match "ctx.block.x == 0")
(eglot--signal-textDocument/didChange)
(wait-for "the error to go" (lambda () (null (found))))

(goto-char (point-min))
(search-forward "let lan")
(let* ((answer (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams)))
       (text (plist-get (plist-get answer :contents) :value)))
  (unless (and text (string-match-p "varying" text)) (fail "the hover is %s" answer)))

(eglot-shutdown (eglot-current-server) nil 60)
(set-buffer-modified-p nil)
(kill-emacs 0)
