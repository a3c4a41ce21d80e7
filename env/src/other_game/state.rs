//! A state without its type.

use std::any::Any;
use std::fmt::{self, Debug};
use std::hash::{Hash, Hasher};

/// A position of an [`OtherGame`](crate::OtherGame).
pub struct OtherState(Box<dyn AnyState>);

/// What a state can do whose type is not known.
trait AnyState: Any + Debug + Send + Sync {
    fn boxed(&self) -> Box<dyn AnyState>;
    /// Becomes a copy of another state; `false` if that is of another type.
    fn copy_from(&mut self, other: &dyn Any) -> bool;
    fn equals(&self, other: &dyn Any) -> bool;
    fn hash_into(&self, hasher: &mut dyn Hasher);
}

impl<S: Clone + Eq + Hash + Debug + Send + Sync + 'static> AnyState for S {
    fn boxed(&self) -> Box<dyn AnyState> {
        Box::new(self.clone())
    }

    fn copy_from(&mut self, other: &dyn Any) -> bool {
        let other = other.downcast_ref::<S>();
        other.inspect(|other| self.clone_from(other)).is_some()
    }

    fn equals(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<S>() == Some(self)
    }

    fn hash_into(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }
}

impl OtherState {
    pub(super) fn new<S: Clone + Eq + Hash + Debug + Send + Sync + 'static>(state: S) -> Self {
        OtherState(Box::new(state))
    }

    /// The state, if it is of this type.
    #[must_use]
    pub fn get<S: 'static>(&self) -> Option<&S> {
        (&*self.0 as &dyn Any).downcast_ref()
    }

    pub(super) fn get_mut<S: 'static>(&mut self) -> Option<&mut S> {
        (&mut *self.0 as &mut dyn Any).downcast_mut()
    }
}

impl Clone for OtherState {
    fn clone(&self) -> Self {
        OtherState(self.0.boxed())
    }

    fn clone_from(&mut self, source: &Self) {
        if !self.0.copy_from(&*source.0) {
            self.0 = source.0.boxed();
        }
    }
}

impl PartialEq for OtherState {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(&*other.0)
    }
}

impl Eq for OtherState {}

impl Hash for OtherState {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.hash_into(hasher);
    }
}

impl Debug for OtherState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
