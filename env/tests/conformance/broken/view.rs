use super::{Broken, Flaw, Tainted, rules};
use tablero_env::ActionId;
use tablero_env::view::{Board, Touch, View};

impl View for Broken {
    fn board(&self, state: &Tainted) -> Board {
        let mut board = rules().board(&state.inner);
        if self.is(Flaw::TwoTargetsOfOneName) {
            board.cells[1].id = board.cells[0].id.clone();
        }
        board
    }

    fn touch(&self, state: &Tainted, action: ActionId) -> Touch {
        let mut touch = rules().touch(&state.inner, action);
        match self.0 {
            Flaw::ClickOffTheBoard => touch.clicks = vec!["e12".to_owned()],
            Flaw::NoClicks => touch.clicks.clear(),
            Flaw::SameClicksForTwoActions if action.0 == 5 => {
                touch.clicks = vec!["e6".to_owned()];
            }
            Flaw::ClicksGoOn if action.0 == 5 => {
                touch.clicks = ["e6", "b0"].map(str::to_owned).to_vec();
            }
            _ => {}
        }
        touch
    }

    fn clicked(&self, state: &Tainted, clicks: &[&str]) -> Option<ActionId> {
        match (self.0, clicks) {
            (Flaw::ClicksOfAnotherAction, ["e5"]) => Some(ActionId(6)),
            // Whichever of the two is asked.
            (Flaw::SameClicksForTwoActions, ["e6"]) => Some(ActionId(5)),
            (Flaw::ClicksGoOn, ["e6", "b0"]) => Some(ActionId(5)),
            (Flaw::ClicksGoOn, ["e5"]) => None,
            (Flaw::OtherClicksReachIt, ["b0", "b1"]) => Some(ActionId(5)),
            (Flaw::ClicksOfNoAction, ["b0"]) => Some(ActionId(12)),
            _ => rules().clicked(&state.inner, clicks),
        }
    }
}
