//! Ctrl-C.

/// From now on Ctrl-C asks the matches of this process to stop, so that finished games are still
/// reported. A second Ctrl-C ends the process, as it does by default.
#[cfg(unix)]
pub fn ends_matches() {
    extern "C" fn on_interrupt(_signal: libc::c_int) {
        tablero_agents::interrupt::request();
    }
    // SAFETY: a zeroed `sigaction` is a valid one (sigaction(2)); the handler lives as long as the
    // process and does no more than an atomic store.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_interrupt as *const () as libc::sighandler_t;
        action.sa_flags = libc::SA_RESETHAND | libc::SA_RESTART;
        libc::sigaction(libc::SIGINT, &raw const action, std::ptr::null_mut());
    }
}

#[cfg(not(unix))]
pub fn ends_matches() {}
